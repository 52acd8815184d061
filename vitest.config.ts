import { defineConfig } from 'vitest/config';

const project = (name: string, options: { timeout?: number; files?: boolean } = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], testTimeout: options.timeout ?? 10_000, hookTimeout: 60_000, fileParallelism: options.files ?? true },
});

export default defineConfig({
  test: {
    reporters: ['default', './test/support/total-reporter.ts'],
    projects: [
      project('unit'),
      project('property', { timeout: 60_000 }),
      project('integration', { timeout: 30_000 }),
      project('story', { timeout: 120_000, files: false }),
      project('e2e', { timeout: 120_000, files: false }),
      project('deploy', { timeout: 600_000, files: false }),
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
});
