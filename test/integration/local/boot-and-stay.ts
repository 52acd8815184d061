// Boots the assembly given on the command line and stays until it is killed.

import { bootRuntime } from '../../../infra/local/runtime.ts';

const [cdkOut = '', dataDir = ''] = process.argv.slice(2);
const runtime = await bootRuntime({ cdkOut, dataDir, port: 0, quiet: true });
console.log(runtime.urls.aws);
