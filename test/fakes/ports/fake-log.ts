import type { Log } from '../../../functions/domain/services.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export class FakeLog implements Log {
  readonly lines: LogLine[] = [];

  info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, error: unknown): void {
    this.lines.push({ level: 'error', message, error });
  }

  messages(level: LogLine['level']): string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message);
  }
}
