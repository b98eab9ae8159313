import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

/** Put into the executable by the build (scripts/executable.mjs). */
declare const PACKAGE_VERSION: string

/** The program of the single executable: a script, which cannot wait at its top. */
async function start(): Promise<void> {
  process.exitCode = await krmVariants(process.argv.slice(2), processHost(PACKAGE_VERSION))
}

void start()
