import path from 'node:path';

/** Where bundles are written to, and where the stack takes them from. */
export const BUNDLES = path.resolve(import.meta.dirname, '..', '.build', 'functions');
