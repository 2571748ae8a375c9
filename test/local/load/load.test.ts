import { describe, expect, it } from 'vitest';
import { loadArticles } from '../../../local/load/articles.ts';
import { quantiles } from '../../../local/on-chain/quantiles.ts';
import { runConcurrently } from '../../../local/on-chain/run-concurrently.ts';

describe('loadArticles', () => {
  const articles = loadArticles(40, 'a run', Math.random);
  const bytes = articles.map((article) => Buffer.byteLength(article));

  it('makes so many of 1 to 50 KB and one of exactly 1,048,576 bytes', () => {
    expect(bytes).toHaveLength(41);
    expect(bytes[40]).toBe(1_048_576);
    expect(Math.min(...bytes)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...bytes.slice(0, 40))).toBeLessThanOrEqual(50_000);
  });

  it('makes each unlike the others, and well-formed', () => {
    expect(new Set(articles).size).toBe(41);
    expect(articles.every((article) => article.isWellFormed())).toBe(true);
  });

  it('makes others for another run', () => {
    const sameRandom = () => 0.5;
    const [one] = loadArticles(1, 'a run', sameRandom);
    expect(loadArticles(1, 'another run', sameRandom)).not.toContain(one);
  });
});

describe('quantiles', () => {
  it('takes the nearest rank, whatever the order', () => {
    const hundred = Array.from({ length: 100 }, (_, position) => 100 - position);
    expect(quantiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
    expect(quantiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
  });

  it('has none of nothing', () => {
    expect(quantiles([])).toBeUndefined();
  });
});

describe('runConcurrently', () => {
  it('keeps the order of the items and the limit', async () => {
    let running = 0;
    let most = 0;
    const outcomes = await runConcurrently([30, 1, 20, 2, 10], 2, async (ms) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running -= 1;
      return ms * 2;
    });
    expect(outcomes).toEqual([60, 2, 40, 4, 20]);
    expect(most).toBe(2);
  });
});
