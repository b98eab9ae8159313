import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { HASHED } from '../../src/convert/explain-overlay.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { originOf } from '../../src/intake/next-revision.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { scalarText } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { shellWord } from '../../src/shell-word.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { type Imported, readVendorSource, type SourceOptions } from '../import/import-sources.ts'
import { buildParts } from './flux-build.ts'
import { type KustomizeTree, uniqueNames } from './kustomize-tree.ts'
import { type Probes, probeBases } from './probe-bases.ts'
import { dropUpstreamMarks } from './upstream-mark.ts'

export interface ConvertOptions extends Pick<SourceOptions, 'allowExec' | 'kustomizeBinary' | 'enableHelm' | 'functionTimeout'> {
  readonly out?: string
  readonly helmBinary?: string
  readonly repo?: string
}

/** A tree with the objects that kustomize builds of it, or Applications with the objects of their sources. */
export interface BuiltTree extends KustomizeTree {
  readonly from: 'kustomize' | 'applicationset'
  /** Applications: writes the objects that deploy the fleet in a working folder. Returns false if they are not those of the sets. */
  readonly deploy?: (work: string, isFirst: boolean) => Promise<boolean>
  readonly dir: string
  /** The command that converts again. The packages of the fleet record the command. */
  readonly command: string
  readonly bases: ReadonlyMap<string, Imported>
  readonly targets: ReadonlyMap<string, readonly VendorObject[]>
  /** The builds of overlays over changed bases. Overlays that no fleet has yet need it. */
  readonly probes?: Probes
  /** Lines about objects that are not as Flux, kustomize or Argo CD makes them. */
  readonly notes?: readonly string[]
}

/** Builds every base and every overlay of a tree. @param added  the overlays that no fleet has yet @throws UsageError if kustomize fails */
export async function buildTree(
  dir: string,
  tree: KustomizeTree,
  added: readonly Overlay[],
  options: ConvertOptions,
  host: Host,
): Promise<BuiltTree> {
  const [bases, targets] = [new Map<string, Imported>(), new Map<string, readonly VendorObject[]>()]
  const notes: string[] = []
  const build = (folder: string) =>
    readVendorSource('kustomize', { ...options, kustomize: folder, hooks: 'leave-out', helmBinary: options.helmBinary ?? 'helm' }, host)
  for (const path of tree.packages.keys()) bases.set(path, await build(posix.join(dir, path)))
  for (const { path, id, parts } of tree.overlays) {
    const built = parts === undefined ? await build(posix.join(dir, path)) : await buildParts(dir, parts, build, host)
    targets.set(id, built.objects)
    if ('notes' in built) notes.push(...built.notes)
  }
  notes.push(...dropUpstreamMarks([...[...bases.values()].flatMap(({ objects }) => objects), ...[...targets.values()].flat()]))
  const overlays = added.filter(({ parts }) => parts === undefined)
  const probes = overlays.length > 0 && { probes: await probeBases(dir, { ...tree, overlays }, { bases, targets }, options, host) }
  return { ...tree, from: 'kustomize', dir, command: convertCommand('kustomize', [dir], options), bases, targets, ...probes, notes }
}

/**
 * Returns what to type in a shell for a conversion with the same sources and choices. Paths of programs are left out: each machine has
 * others.
 */
export function convertCommand(
  from: BuiltTree['from'],
  sources: readonly string[],
  { out, repo, allowExec, enableHelm }: ConvertOptions,
): string {
  const words = [
    ...['krm-variants', 'convert', from, ...sources],
    ...(repo === undefined ? [] : ['--repo', repo]),
    ...(out === undefined ? [] : ['--out', out]),
    ...(enableHelm === true ? ['--enable-helm'] : []),
    ...(allowExec === true ? ['--allow-exec'] : []),
  ]
  return words.map(shellWord).join(' ')
}

/**
 * Returns a line about the ConfigMaps and Secrets whose names end with a hash of their content, which kustomize computes and a fleet does
 * not.
 */
export function hashedNames({ targets }: BuiltTree): readonly string[] {
  const objects = [...targets.values()].flat().map(({ object }) => object)
  const hashed = objects.filter(({ kind = '', name = '' }) => /^(?:ConfigMap|Secret)$/.test(kind) && HASHED.test(name))
  const names = [...new Set(hashed.map(({ kind = '', name = '' }) => `${kind} ${name}`))].toSorted()
  if (names.length === 0) return []
  return [`names with a hash stay as kustomize built them, and only convert brings the next ones: ${nameFirst(names, 3)}`]
}

/**
 * Returns the tree with the names that the packages of its bases have in a converted fleet. The name of a base may follow from the folder
 * around the tree, and each checkout has another one. A base that is new gets a name that no package of another base has.
 */
export function withRecordedNames(tree: BuiltTree, work: string): BuiltTree {
  const catalog = join(work, 'catalog')
  const known = new Map<string, string>()
  for (const entry of existsSync(catalog) ? readdirSync(catalog).toSorted() : []) {
    const [, name] = /^([a-z0-9-]+)@v\d+$/.exec(entry) ?? []
    const path = name === undefined ? undefined : baseOf(join(catalog, entry, KPTFILE))
    if (name !== undefined && path !== undefined && tree.packages.has(path)) known.set(path, known.get(path) ?? name)
  }
  const added = [...tree.packages].filter(([path]) => !known.has(path))
  const names = uniqueNames([...known, ...added].map(([path, name]) => [path, [name]]))
  return { ...tree, packages: new Map([...tree.packages].map(([path, name]) => [path, names.get(path) ?? name])) }
}

/** Returns the folder that a package was made of, as convert wrote it into the Kptfile. */
function baseOf(kptfile: string): string | undefined {
  if (!existsSync(kptfile)) return undefined
  const object = KrmObject.fromDocument(readFileSync(kptfile, 'utf8'))
  const path = originOf(new Map([[KPTFILE, [object]]]))?.path
  return path === undefined ? undefined : scalarText(path)
}
