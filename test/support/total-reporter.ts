// Prints the one plain line that continuous integration reads: how many tests passed and failed.
import type { Reporter, TestModule } from 'vitest/node';

export default class TotalReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      for (const state of states) if (state !== 'pending') count[state] += 1;
      // A file that broke before its tests could run has failed, whatever its tests say.
      if (module.state() === 'failed' && !states.includes('failed')) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}
