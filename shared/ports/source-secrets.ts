export interface SourceSecrets {
  /** The secrets that may sign deliveries of this source now, newest first; several while one is being replaced, none when nobody set one. May lag a change by a few minutes. */
  active(source: string): Promise<readonly string[]>;
}
