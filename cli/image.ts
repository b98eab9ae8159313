import { startupSnapshot } from 'node:v8'
import { evaluate } from '../src/run.ts'
import { FUNCTIONS } from './generated/registry.ts'
import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

/** Put in when the image is made (scripts/image-program.mjs): lists that each function runs on before the snapshot is taken. */
declare const WARM_UP: Readonly<Record<string, readonly string[]>>
declare const PACKAGE_VERSION: string

/** Prepares the start-up snapshot of the family's image: the tool, with every function loaded and used once. */
async function prepare(): Promise<void> {
  for (const [name, load] of FUNCTIONS) {
    const fn = await load()
    for (const list of WARM_UP[name] ?? []) evaluate(fn, list)
  }
  startupSnapshot.setDeserializeMainFunction(() => void start())
}

async function start(): Promise<void> {
  process.exitCode = await krmVariants(process.argv.slice(2), processHost(PACKAGE_VERSION))
}

void prepare()
