import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { readFleet } from '../../src/fleet/fleet.ts'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { diskTree, type FileTree } from '../../src/folder/file-tree.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { locateFolder } from '../../src/folder/whole-folder.ts'
import { equalJson, type JsonValue } from '../../src/json.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import type { PackageSource } from '../../src/upstream/source-package.ts'
import { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { printJson } from '../print/print-value.ts'
import type { BoundUpstream, PlanInputs, SavedPlan } from './saved-plan.ts'

/** Folders that no plan is made from. */
const LEFT_OUT = ['.git', 'node_modules']

/** A fleet as render reads it, and its folders. */
export interface BoundFleet {
  readonly folder: NamedFolder
  /** The folder for the packages, if known. */
  readonly packages: NamedFolder | undefined
  /** The places of the file with options, and of the saved plan, which is no input. */
  readonly config: string | undefined
  readonly planFile: string
  /** The objects of the fleet, with the variants that its sets make. */
  readonly items: readonly KrmObject[]
  readonly options: RenderOptions
  readonly packageSource: PackageSource
}

/** Returns everything that rendering a fleet reads: each file wherever it lies, the options, and the commit of each upstream revision. */
export function inputsOf({ folder, packages, config, planFile, items, options, packageSource }: BoundFleet): PlanInputs {
  const { upstreams, folders } = readUpstreams(items, options, packageSource)
  const root = realpathSync(folder.disk)
  const files = new Map<string, string>()
  const places = [root, ...(packages === undefined ? [] : [packages.disk]), ...folders.map((path) => locateFolder(folder.disk, path))]
  for (const place of places) for (const path of filesBelow(place)) files.set(relative(root, path), '')
  if (config !== undefined) files.set(relative(root, realpathSync(config)), '')
  files.delete(relative(root, planFile))
  for (const path of files.keys()) files.set(path, sha256Hex(readFileSync(join(root, path))))
  const slashed = new Map(Array.from(files, ([path, digest]) => [path.split(sep).join('/'), digest]))
  return { optionsDigest: sha256Hex(printJson(plain(options))), files: slashed, upstreams }
}

/**
 * Returns options with their maps as sorted lists, and without the object that they were read from, so that equal options are equal text.
 */
export function plain(value: unknown): unknown {
  if (value instanceof KrmObject) return undefined
  if (value instanceof Map) return [...value].map(([key, each]) => [key, plain(each)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, plain(each)]),
  )
}

/** Returns the full paths of the files below a folder; none if the folder does not exist. */
function filesBelow(place: string): readonly string[] {
  if (!existsSync(place)) return []
  const root = realpathSync(place)
  return pathsIn(diskTree(root), '').map((path) => join(root, path))
}

function pathsIn(tree: FileTree, folder: string): readonly string[] {
  return tree.list(folder).flatMap(({ name, type }) => {
    const path = join(folder, name)
    if (type === 'file') return [path]
    return LEFT_OUT.includes(name) ? [] : pathsIn(tree, path)
  })
}

interface ReadUpstreams {
  readonly upstreams: readonly BoundUpstream[]
  /** The folders that were read, from the folder of the fleet. */
  readonly folders: readonly string[]
}

/** Looks for the upstream of each variant as rendering does. */
function readUpstreams(items: readonly KrmObject[], options: RenderOptions, packageSource: PackageSource): ReadUpstreams {
  const folders = new Set<string>()
  const noting: PackageSource = {
    ...packageSource,
    folder: (path) => {
      const found = packageSource.folder(path)
      if (found !== undefined) folders.add(path)
      return found
    },
  }
  const library = new UpstreamLibrary(noting, readFleet(items), options)
  const upstreams = new Map<string, BoundUpstream>()
  for (const variant of readVariants(items.filter(isPackageVariant)).variants) {
    const { repo, package: name, revision, workspaceName = '' } = variant.upstream
    const key = `${variant.namespace ?? 'default'}/${repo}/${name}@${revision ?? workspaceName}`
    if (upstreams.has(key)) continue
    const lookup = library.wanted(variant)
    const commit = 'revision' in lookup ? lookup.revision.origin.commit : undefined
    const from = 'fault' in lookup ? 'missing' : commit === undefined ? 'folder' : 'git'
    upstreams.set(key, { name: key, from, ...(commit !== undefined && { commit }) })
  }
  return { upstreams: [...upstreams.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), folders: [...folders] }
}

/** Returns every change of a plan as JSON has it, whole numbers that JavaScript would round as text. */
export function boundChanges(sets: readonly SetPlan[]): JsonValue {
  const changes = sets.flatMap(({ changes: all }) =>
    all.flatMap(({ op, namespace, name, existing, after }) =>
      op === 'unchanged' ? [] : [{ op, namespace, name, was: existing?.name, spec: after }],
    ),
  )
  return JSON.parse(printJson(changes))
}

/** The state of a fleet when a saved plan is to be carried out. */
export interface PresentState {
  readonly inputs: PlanInputs
  readonly changes: JsonValue
  readonly folder: NamedFolder
  /** Returns true for a file of a package that this run leaves unchanged, as it belongs to another part of the fleet. */
  readonly isOthers: (path: string) => boolean
}

/** Returns a result for each file, upstream and option that differs from the saved plan, by its name. */
export function changesSince(saved: SavedPlan, file: string, { inputs, changes, folder, isOthers }: PresentState): readonly Result[] {
  const result = (message: string, path?: string): Result => ({
    severity: 'error',
    message: `${message}; plan again with --out`,
    ...(path !== undefined && { file: { path, index: 0 } }),
    tags: { rule: 'plan-outdated' },
  })
  const files = [...new Set([...saved.files.keys(), ...inputs.files.keys()])].filter((path) => !isOthers(path)).sort()
  const found = files.flatMap((path) => {
    const fate = fateOf(saved.files.get(path), inputs.files.get(path))
    return fate === undefined ? [] : [result(`must be as it was for '${file}', ${fate}`, posix.join(folder.shown, path))]
  })
  const upstreams = upstreamChanges(saved.upstreams, inputs.upstreams).map((change) => result(`${change} now`))
  const options =
    saved.optionsDigest === inputs.optionsDigest
      ? []
      : [result(`the options of render-variants must be as they were for '${file}', changed`)]
  const others = [...found, ...upstreams, ...options]
  if (others.length > 0 || equalJson(saved.changes, changes)) return others
  return [result(`\`changes\` must be what the sets of '${folder.shown}' ask for, got others`, file)]
}

function fateOf(before: string | undefined, now: string | undefined): string | undefined {
  if (before === now) return undefined
  if (before === undefined) return 'is new'
  return now === undefined ? 'is gone' : 'changed'
}

function upstreamChanges(before: readonly BoundUpstream[], now: readonly BoundUpstream[]): readonly string[] {
  const old = new Map(before.map((upstream) => [upstream.name, upstream]))
  const present = new Map(now.map((upstream) => [upstream.name, upstream]))
  return [...new Set([...old.keys(), ...present.keys()])].sort().flatMap((name) => {
    const [was, is] = [describeUpstream(old.get(name)), describeUpstream(present.get(name))]
    return was === is ? [] : [`upstream '${name}' must be ${was} as it was planned, is ${is}`]
  })
}

function describeUpstream(upstream: BoundUpstream | undefined): string {
  if (upstream === undefined) return 'not asked for'
  const { from, commit = '' } = upstream
  return { git: `commit ${commit}`, folder: 'a folder', missing: 'missing' }[from]
}
