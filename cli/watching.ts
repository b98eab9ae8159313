import { requireFolder } from './fleet/read-fleet.ts'
import type { ExitCode, Host } from './host.ts'
import { UsageError } from './usage-error.ts'

/**
 * Runs a command, with `watch` again after each change below the folder until Ctrl-C, and returns the exit code.
 *
 * @throws UsageError when the folder does not exist
 */
export async function watching(
  dir: string,
  { watch }: { readonly watch?: boolean },
  host: Host,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (watch !== true) return run()
  if (dir === '-') throw new UsageError('`--watch` must have a folder to watch, got -')
  const folder = requireFolder(dir, host)
  let exitCode = await run()
  for await (const _ of host.watch(folder)) {
    host.warn('\n')
    exitCode = await run()
  }
  return exitCode
}
