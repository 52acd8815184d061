export interface ReportShelf {
  /** Stores one file of a day's report, replacing an earlier one of the same name. Returns its address. */
  put(name: string, contentType: string, body: string): Promise<string>;
  /** Remembers that the report of this day was published, with its summary. Overwrites a repeated run of the same day. */
  publish(day: string, summary: Record<string, unknown>, at: string): Promise<void>;
  /** The summary of a day's published report. */
  find(day: string): Promise<Record<string, unknown> | undefined>;
}
