import { existsSync } from 'node:fs'
import { basename, posix } from 'node:path'
import type { Command } from 'commander'
import { BASE_PATHS, OVERLAY_PATHS } from '../../src/convert/fleet-texts.ts'
import { printable } from '../../src/printable.ts'
import { shellPath } from '../../src/shell-word.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { suggestedImport } from '../import/suggested-import.ts'
import { programSeconds } from '../seconds.ts'
import { UsageError } from '../usage-error.ts'
import { buildTree, type ConvertOptions, hashedNames } from './built-tree.ts'
import { convertApplicationSets } from './convert-applicationset.ts'
import { convertTree } from './convert-tree.ts'
import { helmReleases } from './flux-build.ts'
import { clashingNames, readKustomizeTree } from './kustomize-tree.ts'
import { readFleetPlace, readRecord, recordedPaths } from './write-fleet.ts'

const NOTES = `
convert kustomize DIR: every overlay, a folder whose kustomization names a folder outside of its own, becomes a cluster; every base an upstream
package in catalog/. What an overlay changes becomes built-in functions and setters with values for each cluster (fleet/values.yaml). What they
cannot say is written into the rendered package, as an edit that later upgrades keep; each is listed. kustomize build, or kubectl kustomize,
builds the tree. Where Kustomizations of Flux deploy folders of the tree, the folder of a cluster is the cluster, with what they change; what of
them is not carried over is named with its place.

convert applicationset FILE...: every destination becomes a cluster, every source in the folder (manifests, a kustomization, a chart) an upstream
package, and krm-variants sync writes the Applications that the sets generate. A field that cannot be followed is an error with its place.

The command ends with 0 only if, after render, the objects of every cluster equal those that kustomize builds or Argo CD applies, and every
Application the one that its set generates; else nothing is written. Run it again after a change of a base or source: it gets its next revision,
and every cluster the change. Changes that people made in the fleet stay and are named. Without a change the fleet stays as it is.

Exit code: 0 everything is equal, but for what was changed in the fleet; 1 an error, or something is not equal, and nothing was written.

Examples:
  krm-variants convert kustomize deploy --out fleet --allow-exec
  krm-variants convert applicationset apps.yaml --repo . --out fleet --allow-exec`

/** Adds `convert`: makes a fleet of a kustomize tree or of ApplicationSets, with a proof. */
export function addConvert(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('convert')
    .description('make a fleet of a kustomize tree or of ApplicationSets, and prove that every cluster gets the same')
    .argument('<from>', 'kustomize or applicationset')
    .argument('[source...]', 'the folder with bases and overlays, or files with ApplicationSets; nothing of them is changed')
    .option('--out <folder>', 'the new folder of the fleet; default: the name of the tree with -fleet, or fleet')
    .option(
      '--repo <folder>',
      'applicationset: the checkout of the git repository that the sets name; default: the one with the first file',
    )
    .option('--allow-exec', 'run kustomize, kubectl or helm, programs of this machine')
    .option('--kustomize-binary <path>', 'the program kustomize')
    .option('--enable-helm', 'let kustomize run helm for helmCharts; charts that are not in the tree are pulled into it')
    .option('--helm-binary <path>', 'the program helm; default: helm')
    .option('--function-timeout <seconds>', 'how long one run of kustomize may take; default: 300', programSeconds)
    .addHelpText('after', NOTES)
    .action(async (from: string, sources: readonly string[], options: ConvertOptions) => {
      if (from === 'applicationset' && sources.length > 0) return finish(await convertApplicationSets(sources, options, host))
      if (from === 'helm')
        throw new UsageError(`convert makes no fleet of a chart: ${chartCommand(sources[0], host)} makes an upstream package of it`)
      if (from === 'applicationset')
        throw new UsageError('convert applicationset must be given files with ApplicationSets: krm-variants convert applicationset FILE')
      if (from !== 'kustomize') throw new UsageError(`convert must be given what it converts, kustomize or applicationset, got '${from}'`)
      if (sources.length === 0)
        throw new UsageError('convert kustomize must be given the folder with the bases and overlays: krm-variants convert kustomize DIR')
      if (options.repo !== undefined)
        throw new UsageError('`--repo` must come with convert applicationset: convert kustomize reads the folder that it is given')
      const [dir = '', ...others] = sources
      if (others.length > 0) throw new UsageError(`convert kustomize must be given one folder, got ${sources.length}`)
      finish(await convertKustomize(dir, options, host))
    })
}

/** Returns the command for a chart, also for one that cannot be found. */
function chartCommand(chart: string | undefined, host: Host): string {
  const isFound = chart !== undefined && existsSync(host.locate(chart))
  return isFound
    ? suggestedImport(chart, undefined, host)
    : `krm-variants import --helm ${shellPath(chart ?? 'CHART')} --allow-exec --as catalog/NAME`
}

/** Returns the place beside a tree for its fleet. */
function fleetBeside(dir: string, host: Host): string {
  const tree = dir.replace(/\/+$/, '')
  return /^(?:.*\/)?\.{0,2}$/.test(tree) ? posix.join(dir, '..', `${basename(host.locate(dir))}-fleet`) : `${tree}-fleet`
}

/**
 * Makes a fleet of a kustomize tree, or brings the changes of the tree's bases into the fleet. Returns 0 only if every cluster is proved
 * equal.
 */
async function convertKustomize(dir: string, options: ConvertOptions, host: Host): Promise<ExitCode> {
  const out = options.out ?? fleetBeside(dir, host)
  const record = readRecord(host.locate(out))
  const known = { overlays: recordedPaths(record, OVERLAY_PATHS), bases: recordedPaths(record, BASE_PATHS) }
  const tree = readKustomizeTree(dir, known, host)
  readFleetPlace(dir, out, 'kustomize', host)
  if (options.allowExec !== true)
    throw new UsageError('convert kustomize must come with --allow-exec: it runs kustomize, a program of this machine')
  const added = tree.overlays.filter(({ id }) => !Object.hasOwn(record, id))
  const built = await buildTree(dir, tree, added, options, host)
  const lines = [
    ...(tree.flux?.notes ?? []),
    ...clashingNames(tree),
    ...(built.notes ?? []),
    ...helmReleases(tree.flux?.releases ?? [], built.targets),
    ...hashedNames(built),
  ]
  for (const line of lines) host.warn(`${printable(line)}\n`)
  return holdingFolders({ dirs: [out], isWriting: true }, host, () => convertTree(built, out, host))
}
