// What a function writes, line by line. The logger writes to the streams of the process, past the console.

import { afterEach, beforeEach, vi } from 'vitest';

/** Captures standard output and error of every test in this file, and gives back what the present one wrote. */
export function capturedLog(): () => string[] {
  let lines: string[] = [];
  beforeEach(() => {
    lines = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        lines.push(String(chunk));
        return true;
      });
    }
  });
  afterEach(() => void vi.restoreAllMocks());
  return () => lines.filter((line) => line.trim() !== '');
}
