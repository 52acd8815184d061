// Where in the sources a fault happened. Node could say so by itself (`--enable-source-maps`), but it would read the map of
// the bundle at every cold start, a quarter of it; this reads the map when there is a fault to tell.

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const FRAME = /((?:file:\/\/)?\/[^\s()]+):(\d+):(\d+)/;
const maps = new Map<string, SourceMap | undefined>();

/** The frame of a stack with file, line and column of the source; the frame itself where there is no map. */
export function sourcePlace(frame: string): string {
  const [place, file = '', line, column] = FRAME.exec(frame) ?? [];
  const map = place === undefined ? undefined : mapOf(file);
  const origin = map?.findOrigin(Number(line), Number(column));
  if (place === undefined || origin === undefined || !('fileName' in origin)) return frame;
  return `at ${origin.fileName.replace(/^(?:file:\/\/)?(?:\.{0,2}\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file.replace('file://', '')}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
