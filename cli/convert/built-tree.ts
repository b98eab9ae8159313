import { posix } from 'node:path'
import { HASHED } from '../../src/convert/explain-overlay.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { type Imported, readVendorSource } from '../import/import-sources.ts'
import type { KustomizeTree } from './kustomize-tree.ts'
import { type Probes, probeBases } from './probe-bases.ts'

export interface ConvertOptions {
  readonly out?: string
  readonly allowExec?: boolean
  readonly kustomizeBinary?: string
  readonly enableHelm?: boolean
  readonly helmBinary?: string
  readonly repo?: string
  readonly functionTimeout?: number
}

/** A tree with the objects that kustomize builds of it, or Applications with the objects of their sources. */
export interface BuiltTree extends KustomizeTree {
  readonly from: 'kustomize' | 'applicationset'
  /** Applications: writes the objects that deploy the fleet in a working folder. Returns false if they are not those of the sets. */
  readonly deploy?: (work: string, isFirst: boolean) => Promise<boolean>
  readonly dir: string
  readonly bases: ReadonlyMap<string, Imported>
  readonly targets: ReadonlyMap<string, readonly VendorObject[]>
  /** The builds of overlays over changed bases. Overlays that no fleet has yet need it. */
  readonly probes?: Probes
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
  const buildOne = (path: string) =>
    readVendorSource(
      'kustomize',
      { ...options, kustomize: posix.join(dir, path), hooks: 'leave-out', helmBinary: options.helmBinary ?? 'helm' },
      host,
    )
  for (const path of tree.packages.keys()) bases.set(path, await buildOne(path))
  for (const { path, id } of tree.overlays) targets.set(id, (await buildOne(path)).objects)
  const probes = added.length > 0 && { probes: await probeBases(dir, { ...tree, overlays: added }, { bases, targets }, options, host) }
  return { ...tree, from: 'kustomize', dir, bases, targets, ...probes }
}

/** Returns a line about the ConfigMaps and Secrets whose names end with a hash of their content, which kustomize computes and a fleet does not. */
export function hashedNames({ targets }: BuiltTree): readonly string[] {
  const objects = [...targets.values()].flat().map(({ object }) => object)
  const hashed = objects.filter(({ kind = '', name = '' }) => /^(?:ConfigMap|Secret)$/.test(kind) && HASHED.test(name))
  const names = [...new Set(hashed.map(({ kind = '', name = '' }) => `${kind} ${name}`))].toSorted()
  if (names.length === 0) return []
  return [`names with a hash stay as kustomize built them, and only convert brings the next ones: ${nameFirst(names, 3)}`]
}
