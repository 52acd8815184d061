import { defineConfig } from 'vitest/config';

const project = (name: string, options: { timeout?: number; files?: boolean; synth?: boolean } = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    testTimeout: options.timeout ?? 10_000,
    hookTimeout: 60_000,
    setupFiles: ['./test/support/property-seed.ts'],
    fileParallelism: options.files ?? true,
    ...(options.synth && { globalSetup: './test/support/global-synth.ts' }),
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './test/support/total-reporter.ts'],
    projects: [
      project('unit'),
      project('property', { timeout: 60_000 }),
      project('integration', { timeout: 30_000 }),
      project('story', { timeout: 120_000, files: false, synth: true }),
      project('e2e', { timeout: 120_000, files: false, synth: true }),
      project('deploy', { timeout: 600_000, files: false }),
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
});
