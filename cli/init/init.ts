import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { type Command, Option } from 'commander'
import { quietly } from '../../src/attempt.ts'
import { errorCode } from '../../src/error-code.ts'
import { findNamedFiles } from '../../src/folder/find-package-files.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { PackageFolders } from '../../src/folder/package-folders.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { checkoutAround } from '../../src/git/git-cache.ts'
import { fleetTreeInside } from '../../src/git/tree-inside.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError } from '../../src/result.ts'
import { shellPath } from '../../src/shell-word.ts'
import { SYNC_SYSTEMS } from '../../src/sync/options.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { newFolderFault } from '../new-folder.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { pathIn, placeFile } from '../print/print-results.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError, writingTo } from '../usage-error.ts'
import { CI_SYSTEMS, type NewFile, type NewFleetOptions, newFleet } from './new-fleet.ts'

const EXAMPLES = `
Examples:
  krm-variants init shops
  krm-variants init --ci github --sync flux`

/** Adds `init [DIR]`: writes the smallest fleet that works. */
export function addInit(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('init')
    .description('write a small fleet to begin with: two clusters, one package, one set')
    .argument('[dir]', 'the folder of the fleet; it may hold other files, and none of them is changed', '.')
    .addOption(new Option('--ci <system>', 'also write the workflow that comments on pull requests').choices(CI_SYSTEMS))
    .addOption(new Option('--sync <system>', 'also write the options for the objects that deploy the packages').choices(SYNC_SYSTEMS))
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string, options: NewFleetOptions) => {
      if (isFile(host.locate(dir)))
        throw new UsageError(
          `init must be given a folder, '${dir}' is a file: krm-variants import --manifest ${shellPath(dir)} --as catalog/NAME makes an upstream package of it`,
        )
      const fault = newFolderFault(dir)
      if (fault !== undefined) throw new UsageError(`the folder of init ${fault}, got '${dir}'`)
      const around = nearestPlace(host.locate(dir))
      if (!isFolder(around)) throw new UsageError(`init must be given a folder, and '${around}' on the way to '${dir}' is none`)
      await holdingFolders({ dirs: [dir], isWriting: true }, host, () => initFleet(dir, options, host))
      finish(0)
    })
}

/** Returns a path, or the first folder or file above it that is there. */
function nearestPlace(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestPlace(dirname(path))
}

/**
 * Writes the files of a new fleet that are missing. In the folder of another fleet, also of one that people changed since, these are the
 * files of `--ci` and `--sync` alone.
 *
 * @throws UsageError when a file has other content; nothing is written then
 * @throws FunctionError with the paths that must not be written, such as links out of the folder
 */
function initFleet(dir: string, asked: NewFleetOptions, host: Host): void {
  const folder = host.locate(dir)
  const options = { ...asked, inside: folderInRepository(folder) }
  const all = newFleet(options)
  const isNew = !isInUse(dir, folder, all)
  const files = isNew ? all : all.filter(({ yields }) => yields === 'never')
  const taken = files.filter((file) => file.yields !== 'always' && contentAt(folder, file) === 'other')
  if (taken.length > 0) throw new UsageError(takenMessage(dir, folder, taken))
  const missing = files.filter((file) => contentAt(folder, file) === undefined)
  writeMissing(dir, folder, missing)
  for (const { path } of missing) host.write(`+ ${printable(placeFile(pathIn(dir, path), dir))}\n`)
  for (const { path } of files.filter((file) => contentAt(folder, file) === 'other'))
    host.warn(`${printable(placeFile(pathIn(dir, path), dir))}: left as it is\n`)
  host.warn(missing.length === 0 ? 'nothing to do: the fleet is there\n' : nextSteps(dir, options, isNew))
}

/** Returns the path of a folder in the checkout around it, '' for the top and outside of git. */
function folderInRepository(folder: string): string {
  const place = realPlace(folder)
  return relative(checkoutAround(place) ?? place, place)
    .split(sep)
    .join('/')
}

/** Matches the kinds by which a folder is known as that of a fleet. */
const OF_FLEETS = /^kind: +(["']?)(?:PackageVariantSet|PackageVariantMatrix|RenderVariants)\1\s*(?:#.*)?$/m

/**
 * Returns true if the folder has the files of a fleet, and one of them or a cluster is other than in a new fleet.
 *
 * @throws FunctionError with the folders that must not be read, in which a fleet may be
 */
function isInUse(dir: string, folder: string, files: readonly NewFile[]): boolean {
  if (!isFolder(folder)) return false
  const inside = fleetTreeInside(folder, (path) => placeFile(pathIn(dir, path), dir))
  const { tree } = inside
  const packages = new PackageFolders(tree)
  const textOf = (path: string) => Buffer.from(quietly(() => tree.read(path)) ?? []).toString('utf8')
  const sets = findNamedFiles(tree, (name) => /\.ya?ml$/.test(name)).filter((path) => !packages.hold(path) && OF_FLEETS.test(textOf(path)))
  const closed = inside.links.filter(({ severity, tags }) => severity === 'error' && tags.rule === 'unreadable-file')
  if (closed.length > 0) throw new FunctionError(closed)
  const changed = files.filter((file) => file.yields === 'to a fleet' && contentAt(folder, file) === 'other')
  return sets.length > 0 && (changed.length > 0 || sets.some((each) => files.every(({ path }) => path !== each)))
}

/** Returns `same` for a file with the content of the new one, `other` for anything else at its path, undefined if nothing is there. */
function contentAt(folder: string, { path, text }: NewFile): 'same' | 'other' | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8') === text ? 'same' : 'other'
  } catch (error) {
    return errorCode(error) === 'ENOENT' && !existsSync(join(folder, path)) ? undefined : 'other'
  }
}

function takenMessage(dir: string, folder: string, taken: readonly NewFile[]): string {
  const places = [...new Set(taken.map(({ path }) => fileOnTheWay(folder, path)))]
  const paths = places.map((path) => `'${pathIn(dir, path)}'`).join(', ')
  const isOne = places.length === 1
  const without = taken.some(({ path }) => path.startsWith('.git')) ? ', or leave out --ci' : ''
  return `init overwrites no file, and ${paths} ${isOne ? 'is' : 'are'} there with other content: name another folder, or move ${isOne ? 'it' : 'them'}${without}`
}

/** Returns the first part of a path that is a file where a folder must be; the path itself if there is none. */
function fileOnTheWay(folder: string, path: string): string {
  const names = path.split('/')
  const parts = names.map((_, index) => names.slice(0, index + 1).join('/'))
  return parts.find((part) => isFile(join(folder, part))) ?? path
}

function writeMissing(dir: string, folder: string, missing: readonly NewFile[]): void {
  writingTo(dir, () => {
    makeFolder(folder)
    const changes = missing.map(({ path, text }) => ({ path, op: 'create' as const, text }))
    // A .krmignore leaves the job of GitLab out, as that of a new fleet does.
    const resources = changes.filter(({ path }) => path !== '.krmignore' && path !== '.gitlab-ci.yml')
    const unwritable = refuseUnwritable(folder, resources, (path) => placeFile(pathIn(dir, path), dir))
    if (unwritable.length > 0) throw new FunctionError(unwritable)
    writeFiles(folder, changes)
  })
}

/** Returns a line for each thing to do next, with a heading if there is one. @param isNew  false for files beside an older fleet */
function nextSteps(dir: string, { ci, sync, inside }: NewFleetOptions, isNew: boolean): string {
  const steps = [
    ...(isNew
      ? [
          ['plan', 'what the set makes, and why'],
          ['render', "the packages of both clusters, in 'clusters'"],
        ]
      : []),
    ...(sync === undefined ? [] : [['sync', `what deploys the packages; first write ${isNew ? ADDRESS : ADDRESSES}`]]),
    ...(isNew ? [['diff', 'after a commit and a change: what changes on which cluster']] : []),
  ]
  const lines = steps.map(([name, does]) => `${`krm-variants ${name} ${shellPath(dir)}`.padEnd(28)}  ${does}`)
  const moved = ci === undefined || inside === undefined || inside === '' ? [] : [MOVES[ci](inside)]
  const all = [...lines, ...moved].map((line) => `  ${printable(line)}\n`).join('')
  return all === '' ? '' : `Next:\n${all}`
}

const ADDRESS = "this repository's address into fleet/clusters.yaml"
const ADDRESSES = 'the git repository of each cluster into its Repository: spec.git with repo, branch and directory'

/** Says how the workflow of a fleet in a subfolder comes to run, by system. */
const MOVES = {
  github: (inside: string) =>
    `GitHub runs the workflows at the top of the repository alone: move ${inside}/.github/workflows/fleet.yaml to .github/workflows/ there`,
  gitlab: (inside: string) =>
    `GitLab reads .gitlab-ci.yml at the top of the repository alone: name ${inside}/.gitlab-ci.yml in its include, as local`,
}
