// Names of the secrets that people make after the deployment; the stack gives the right to read below them, the command line makes them.

/** The secret of a source is this and its name: `baton/source/tally`. */
export const SOURCE_SECRETS_PREFIX = 'baton/source/';

/** The tokens by which answers are fetched from a system are this and its name: `baton/fetch/meta`. In both, a value, a list, or lists by site. */
export const FETCH_SECRETS_PREFIX = 'baton/fetch/';
