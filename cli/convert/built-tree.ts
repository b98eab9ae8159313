import { posix } from 'node:path'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import type { Host } from '../host.ts'
import { type Imported, readVendorSource } from '../import/import-sources.ts'
import type { KustomizeTree } from './kustomize-tree.ts'

export interface ConvertOptions {
  readonly out?: string
  readonly allowExec?: boolean
  readonly kustomizeBinary?: string
  readonly functionTimeout?: number
}

/** A tree with what kustomize builds of it. */
export interface BuiltTree extends KustomizeTree {
  readonly dir: string
  readonly bases: ReadonlyMap<string, Imported>
  readonly targets: ReadonlyMap<string, readonly VendorObject[]>
}

/** Builds every base and every overlay of a tree. @throws UsageError if kustomize fails */
export async function buildTree(dir: string, tree: KustomizeTree, options: ConvertOptions, host: Host): Promise<BuiltTree> {
  const [bases, targets] = [new Map<string, Imported>(), new Map<string, readonly VendorObject[]>()]
  const buildOne = (path: string) =>
    readVendorSource('kustomize', { ...options, kustomize: posix.join(dir, path), hooks: 'leave-out', helmBinary: 'helm' }, host)
  for (const path of tree.packages.keys()) bases.set(path, await buildOne(path))
  for (const { path, target } of tree.overlays) targets.set(target, (await buildOne(path)).objects)
  return { ...tree, dir, bases, targets }
}
