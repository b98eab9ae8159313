import { WATCH, WATCH_SCRIPT } from '../src/git/git-watch.ts'
import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

/** Put into the executable by the build (scripts/executable.mjs). */
declare const PACKAGE_VERSION: string

/** Runs the single executable. The executable is a script, which cannot await at its top level. */
async function start(): Promise<void> {
  process.exitCode = await krmVariants(process.argv.slice(2), processHost(PACKAGE_VERSION))
}

/** The executable is its own watcher of git, since it cannot run a text as Node can. */
if (process.argv[2] === WATCH)
  new Function('require', WATCH_SCRIPT)(process.getBuiltinModule('node:module').createRequire(process.execPath))
else void start()
