/** The value of an environment variable that the stack gives to this function. Throws when the stack forgot it, which no retry can mend. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is not set for this function`);
  return value;
}
