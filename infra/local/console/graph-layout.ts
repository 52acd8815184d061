// Places the boxes of a directed graph in layers, top to bottom, so that arrows mostly point down and rarely cross.

export type Link = { from: string; to: string };
export type Point = { x: number; y: number };
export type Placed = { boxes: ReadonlyMap<string, Point> /** The way of each link, from end to end, by its place in the input. */; ways: Point[][]; width: number; height: number };
export type Sizes = { boxWidth: number; boxHeight: number; gap: number; layerGap: number };

type Piece = { id: string; layer: number; width: number; x: number; above: Piece[]; below: Piece[] };

const SWEEPS = 12;
/** Room for the lines that pass between boxes. */
const LINE_WIDTH = 18;

/** Lays out what can be reached from `start`, then the rest. A link that closes a circle runs upwards. */
export function layOut(names: readonly string[], links: readonly Link[], start: string, sizes: Sizes): Placed {
  const upward = closingLinks(names, links, start);
  const down = links.map((link) => (upward.has(link) ? { from: link.to, to: link.from } : link));
  const layers = layersOf(names, down);
  const pieces = new Map(names.map((id) => [id, piece(id, layers.get(id) ?? 0, sizes.boxWidth)]));
  const chains = down.map((link) => chainOf(link, pieces));
  const rows = rowsOf([...new Set([...pieces.values(), ...chains.flat()])]);
  order(rows);
  align(rows, sizes.gap);
  return draw({ rows, pieces, chains, links, upward, sizes });
}

const piece = (id: string, layer: number, width: number): Piece => ({ id, layer, width, x: 0, above: [], below: [] });

/** Links that lead back to where a walk from the start came from. */
function closingLinks(names: readonly string[], links: readonly Link[], start: string): Set<Link> {
  const closing = new Set<Link>();
  const seen = new Set<string>();
  const walk = (name: string, trail: ReadonlySet<string>): void => {
    seen.add(name);
    const here = new Set([...trail, name]);
    for (const link of links.filter((each) => each.from === name)) {
      if (here.has(link.to)) closing.add(link);
      else if (!seen.has(link.to)) walk(link.to, here);
    }
  };
  for (const name of [start, ...names]) if (!seen.has(name)) walk(name, new Set());
  return closing;
}

/** The length of the longest way to each box. */
function layersOf(names: readonly string[], links: readonly Link[]): Map<string, number> {
  const layers = new Map<string, number>();
  const layerOf = (name: string): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    const before = links.filter((link) => link.to === name && link.from !== name).map((link) => layerOf(link.from));
    const layer = before.length === 0 ? 0 : Math.max(...before) + 1;
    layers.set(name, layer);
    return layer;
  };
  for (const name of names) layerOf(name);
  return layers;
}

/** The pieces a link runs through: both boxes, and a place in every layer between them. */
function chainOf({ from, to }: Link, pieces: ReadonlyMap<string, Piece>): Piece[] {
  const [first, last] = [pieces.get(from), pieces.get(to)];
  if (!first || !last) throw new Error(`there is no box ${first ? to : from}`);
  const between = Array.from({ length: Math.max(0, last.layer - first.layer - 1) }, (_, at) => piece('', first.layer + at + 1, LINE_WIDTH));
  const chain = [first, ...between, last];
  for (const [at, upper] of chain.slice(0, -1).entries()) {
    const lower = chain[at + 1];
    if (!lower || lower === upper) continue;
    upper.below.push(lower);
    lower.above.push(upper);
  }
  return chain;
}

function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const each of pieces) {
    const row = rows[each.layer] ?? [];
    row.push(each);
    rows[each.layer] = row;
  }
  return rows.map((row) => row ?? []);
}

const middle = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sorts every row by the middle of its neighbours, down and up in turn. */
function order(rows: Piece[][]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : rows.toReversed()) {
      const wish = new Map(row.map((each, at) => [each, neighbourPlace(down ? each.above : each.below, rows) ?? at]));
      row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
    }
  }
}

function neighbourPlace(neighbours: readonly Piece[], rows: readonly Piece[][]): number | undefined {
  return neighbours.length === 0 ? undefined : middle(neighbours.map((each) => rows[each.layer]?.indexOf(each) ?? 0));
}

/** Moves pieces of a row to the middle of their neighbours as far as the order and the gaps allow. */
function align(rows: readonly Piece[][], gap: number): void {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wishes = row.map((each) => {
        const near = sweep === 0 ? each.above : [...each.above, ...each.below];
        return near.length === 0 ? each.x : middle(near.map((other) => other.x));
      });
      spread(row, wishes, gap);
    }
  }
}

type Group = { sum: number; size: number };

/** The places nearest to the wishes that keep the distances: neighbours that would overlap share their middle. */
function spread(row: readonly Piece[], wishes: readonly number[], gap: number): void {
  const offsets = offsetsOf(row, gap);
  const groups: Group[] = [];
  for (const [at, wish] of wishes.entries()) {
    let group: Group = { sum: wish - (offsets[at] ?? 0), size: 1 };
    for (let before = groups.at(-1); before && before.sum / before.size > group.sum / group.size; before = groups.at(-1)) {
      groups.pop();
      group = { sum: before.sum + group.sum, size: before.size + group.size };
    }
    groups.push(group);
  }
  const places = groups.flatMap(({ sum, size }) => Array.from({ length: size }, () => sum / size));
  for (const [at, each] of row.entries()) each.x = (places[at] ?? 0) + (offsets[at] ?? 0);
}

/** How far each piece is from the first of its row at least. */
function offsetsOf(row: readonly Piece[], gap: number): number[] {
  let offset = 0;
  return row.map((each, at) => {
    const before = row[at - 1];
    if (before) offset += (before.width + each.width) / 2 + gap;
    return offset;
  });
}

type Drawing = { rows: readonly Piece[][]; pieces: ReadonlyMap<string, Piece>; chains: readonly Piece[][]; links: readonly Link[]; upward: ReadonlySet<Link>; sizes: Sizes };

function draw({ rows, pieces, chains, links, upward, sizes }: Drawing): Placed {
  const { boxHeight, layerGap } = sizes;
  const all = rows.flat();
  const left = Math.min(...all.map((each) => each.x - each.width / 2));
  const right = Math.max(...all.map((each) => each.x + each.width / 2));
  const topOf = (each: Piece): number => each.layer * (boxHeight + layerGap);
  const boxes = new Map([...pieces].map(([id, each]) => [id, { x: each.x - left - sizes.boxWidth / 2, y: topOf(each) }]));
  const ends = portsOf(chains);
  const ways = chains.map((chain, at) => {
    const offsets = chain.map((_, step) => (step === 0 ? ends.leaving[at] : step === chain.length - 1 ? ends.entering[at] : 0) ?? 0);
    const edges = chain.map((each, step) => ({ x: each.x - left + (offsets[step] ?? 0), top: topOf(each), bottom: topOf(each) + boxHeight }));
    const points = edges.flatMap(({ x, top, bottom }): Point[] => [
      { x, y: top },
      { x, y: bottom },
    ]);
    // A way begins below its first box and ends above its last.
    const way = points.slice(1, -1);
    const link = links[at];
    return link && upward.has(link) ? way.reverse() : way;
  });
  return { boxes, ways, width: right - left, height: rows.length * (boxHeight + layerGap) - layerGap };
}

/** Spreads the ends of links along the edges of their boxes, in the order of where they come from. */
function portsOf(chains: readonly Piece[][]): { leaving: number[]; entering: number[] } {
  const spreadOver = (endOf: (chain: Piece[]) => Piece | undefined, towards: (chain: Piece[]) => Piece | undefined): number[] => {
    const offsets = chains.map(() => 0);
    const boxes = new Set(chains.map(endOf));
    for (const box of boxes) {
      const here = chains.flatMap((chain, at) => (endOf(chain) === box ? [{ at, x: towards(chain)?.x ?? 0 }] : [])).sort((a, b) => a.x - b.x);
      for (const [place, { at }] of here.entries()) offsets[at] = ((place + 1) / (here.length + 1) - 0.5) * (box?.width ?? 0) * 0.7;
    }
    return offsets;
  };
  return {
    leaving: spreadOver(
      (chain) => chain[0],
      (chain) => chain[1],
    ),
    entering: spreadOver(
      (chain) => chain.at(-1),
      (chain) => chain.at(-2),
    ),
  };
}
