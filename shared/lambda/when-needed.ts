type Port<Method extends string, Values extends unknown[], Answer> = Record<Method, (...values: Values) => Promise<Answer>>;

/**
 * A port whose adapter, and with it a client of the SDK, is made by the first call of its one method: for what many
 * instances of a function never do. What every invocation needs is made at the start, where its cost is measured.
 */
export function whenNeeded<Method extends string, Values extends unknown[], Answer>(method: Method, make: () => Port<Method, Values, Answer>): Port<Method, Values, Answer> {
  let made: Port<Method, Values, Answer> | undefined;
  const call = async (...values: Values): Promise<Answer> => {
    made ??= make();
    return made[method](...values);
  };
  return { [method]: call } as Port<Method, Values, Answer>;
}
