/** A verified delivery, as its provider sent it. */
export type RawDelivery = { source: string; contentType: string; body: Uint8Array };

/** Keeps deliveries as they came for a limited time: the only place where what no rule understood can be looked up. */
export interface RawShelf {
  /** Stores the bytes durably and answers their reference. The same delivery has the same reference, however often it is kept. */
  keep(delivery: RawDelivery): Promise<string>;
}
