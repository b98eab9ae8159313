import type { Command } from 'commander'
import type { ExitCode, Host } from '../host.ts'
import { readSeconds } from '../seconds.ts'
import { UsageError } from '../usage-error.ts'
import type { ConvertOptions } from './built-tree.ts'
import { convertKustomize } from './convert-kustomize.ts'

const NOTES = `
Every overlay, a folder whose kustomization names a folder outside of its own, becomes a cluster; every base an upstream package in catalog/.
What an overlay changes becomes built-in functions and setters with values for each cluster (fleet/values.yaml). What they cannot say is written
into the rendered package, as an edit that later upgrades keep; each is listed. kustomize build, or kubectl kustomize, builds the tree.

The command ends with 0 only if, after render, the objects of every cluster equal those that kustomize builds; else nothing is written. Run it
again after a change of a base: the base gets its next revision, and every cluster the change. Without a change the fleet stays as it is.

Exit code: 0 every cluster is equal; 1 an error, or a cluster is not equal, and nothing was written.

Examples:
  krm-variants convert kustomize deploy --out fleet --allow-exec`

/** Adds `convert kustomize DIR`: makes a fleet of a kustomize tree, with a proof. */
export function addConvert(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('convert')
    .description('make a fleet of a kustomize tree, and prove that every cluster gets the same objects')
    .argument('<from>', 'kustomize')
    .argument('<dir>', 'the folder with the bases and overlays; it is not changed')
    .option('--out <folder>', 'the new folder of the fleet; default: the name of the tree with -fleet')
    .option('--allow-exec', 'run kustomize or kubectl, programs of this machine')
    .option('--kustomize-binary <path>', 'the program kustomize')
    .option('--function-timeout <seconds>', 'how long one run of kustomize may take; default: 300', secondsOf)
    .addHelpText('after', NOTES)
    .action(async (from: string, dir: string, options: ConvertOptions) => {
      if (from !== 'kustomize') throw new UsageError(`convert must be given what it converts, kustomize, got '${from}'`)
      finish(await convertKustomize(dir, options, host))
    })
}

function secondsOf(text: string): number {
  const seconds = readSeconds(text, 86_400)
  if (seconds === undefined) throw new UsageError(`\`--function-timeout\` must be a number of seconds, or such as 90s, 5m, got '${text}'`)
  return seconds
}
