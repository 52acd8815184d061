// What a customer booked, in full: personal data, so it stands in the packet. It proves no ownership (L-04, X-04).

/** What one event of a calendar says. */
export type BookingFacts = {
  /** Its id at the source. */
  id: string;
  /** The id it had before it was moved. */
  was?: string;
  startsAt?: string;
  endsAt?: string;
  /** The zone that the customer chose in, such as `America/Los_Angeles`. */
  zone?: string;
  /** Address of the member of staff it is with. */
  host?: string;
};

export type BookingState = 'booked' | 'moved' | 'canceled';

/** A meeting as it stands: one, however often it was moved. */
export type Booking = Omit<BookingFacts, 'id' | 'was'> & {
  source: string;
  /** Every id it had. */
  ids: readonly string[];
  state: BookingState;
  /** When the customer last changed it. */
  changedAt: string;
};

const STATE_OF: Readonly<Record<string, BookingState>> = { 'booking.made': 'booked', 'booking.moved': 'moved', 'booking.canceled': 'canceled' };

type BookingEvent = { source: string; kind: string; occurredAt: string; booking?: BookingFacts };

/** The bookings after one event of a calendar. Events may come in any order and more than once; the customer's latest act stands. */
export function withBooking(bookings: readonly Booking[], { source, kind, occurredAt, booking }: BookingEvent): Booking[] {
  const state = STATE_OF[kind];
  if (booking === undefined || state === undefined) return [...bookings];
  const { id, was, ...facts } = booking;
  return oneOfEach([...bookings, { source, ids: was === undefined ? [id] : [was, id], state, changedAt: occurredAt, ...facts }]);
}

/** The meetings of two requests that turned out to be one. */
export const oneOfEach = (bookings: readonly Booking[]): Booking[] => bookings.reduce<Booking[]>(join, []);

function join(known: readonly Booking[], one: Booking): Booking[] {
  const isSame = (other: Booking) => other.source === one.source && other.ids.some((id) => one.ids.includes(id));
  const same = [...known.filter(isSame), one];
  const [latest = one, ...earlier] = same.toSorted((a, b) => order(b, a));
  const ids = [...new Set(same.flatMap((each) => each.ids))].sort();
  return [...known.filter((other) => !isSame(other)), { ...Object.assign({}, ...earlier.toReversed()), ...latest, ids }];
}

/** Of two acts at the same instant a cancelation is the later one, then a move. */
const RANK: readonly BookingState[] = ['booked', 'moved', 'canceled'];
function order(a: Booking, b: Booking): number {
  const [at, bt] = [Date.parse(a.changedAt), Date.parse(b.changedAt)];
  return at - bt || RANK.indexOf(a.state) - RANK.indexOf(b.state);
}
