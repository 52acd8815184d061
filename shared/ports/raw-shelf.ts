/** A verified delivery, as its provider sent it. */
export type RawDelivery = {
  source: string;
  contentType: string;
  /** What its signature was made of, and which event it is; never what gives a right (`kept-headers.ts`). */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

/** Keeps deliveries as they came for a limited time: the only place where what no rule understood can be looked up. */
export interface RawShelf {
  /** Stores the bytes durably and answers their reference. The same bytes have the same reference, however often they are kept; the headers that came last stay. */
  keep(delivery: RawDelivery): Promise<string>;
}
