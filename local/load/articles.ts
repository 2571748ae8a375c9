import { maxArticleBytes } from '../stack/read-article.ts';

/** Words of one to four bytes per character, so that bytes, UTF-16 units and characters differ in number. */
const words = 'truth hour Zeitung señal naïve газета 新聞 𝔸ttest 😀 press record and'.split(' ');

const [smallestBytes, largestBytes] = [1_000, 50_000];

/** Makes a text of the given number of bytes, which differs from every text with another title. */
function article(title: string, bytes: number, random: () => number): string {
  const parts = [title];
  let left = bytes - Buffer.byteLength(title);
  while (left > 0) {
    const word = ` ${words[Math.floor(random() * words.length)]}`;
    // The last word rarely fits: spaces fill the rest.
    const part = Buffer.byteLength(word) > left ? ' '.repeat(left) : word;
    parts.push(part);
    left -= Buffer.byteLength(part);
  }
  return parts.join('');
}

/** Makes an article of 1 to 50 KB, which differs from every article with another title. */
export function usualArticle(title: string, random: () => number): string {
  const bytes = smallestBytes + Math.floor(random() * (largestBytes - smallestBytes));
  return article(title, bytes, random);
}

/** Makes `count` different articles of 1 to 50 KB, then one of the greatest size allowed. */
export function loadArticles(count: number, run: string, random: () => number): string[] {
  const small = Array.from({ length: count }, (_, position) =>
    usualArticle(`Article ${position + 1} of ${run}.`, random),
  );
  return [...small, article(`The long article of ${run}.`, maxArticleBytes, random)];
}
