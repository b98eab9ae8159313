import type { Command } from 'commander'
import { evaluate } from '../src/run.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import { FUNCTIONS } from './generated/registry.ts'
import type { ExitCode, Host } from './host.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLE = `
Example:
  kpt fn source examples/fleet | krm-variants fn fan-out | kpt fn sink /tmp/fleet`

/** `fn NAME`: one file to install serves as every function, in a container or as a plug-in of Argo CD. */
export function addFn(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('fn')
    .description('run a function: a ResourceList on stdin, one on stdout')
    .argument('<name>', `one of ${[...FUNCTIONS.keys()].join(', ')}`)
    .addHelpText('after', EXAMPLE)
    .action(async (name: string) => finish(await runFunction(name, host)))
}

/** @throws UsageError when there is no such function */
async function runFunction(name: string, host: Host): Promise<ExitCode> {
  const load = FUNCTIONS.get(name)
  if (load === undefined) throw new UsageError(`no function '${name}'${didYouMean(name, [...FUNCTIONS.keys()])}`)
  const { stdout, stderr, exitCode } = evaluate(await load(), await host.read())
  host.warn(stderr)
  host.write(stdout)
  return exitCode
}
