/** Where "now" comes from. Called `TimeSource` because "clock" is the ownership clock. */
export interface TimeSource {
  /** The present instant as an ISO string with milliseconds and `Z`. */
  now(): string;
}
