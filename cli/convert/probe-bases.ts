import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Host } from '../host.ts'
import { readVendorSource } from '../import/import-sources.ts'
import { KUSTOMIZATIONS } from '../import/kustomize-faults.ts'
import type { ConvertOptions } from './built-tree.ts'
import type { KustomizeTree } from './kustomize-tree.ts'

/** What an overlay makes of an object that nothing in the tree names, by the id of the overlay and the path of the base that has the object. */
export type Probes = ReadonlyMap<string, ReadonlyMap<string, KrmObject>>

/**
 * Builds the overlays of a copy of the tree in which each base has one more object, a ConfigMap. What an overlay writes into this object, it
 * writes into each object of the base that is new later: a label of the overlay is no patch of one object. Overlays that cannot be built so are
 * left out.
 */
export async function probeBases(dir: string, tree: KustomizeTree, options: ConvertOptions, host: Host): Promise<Probes> {
  const root = host.locate(dir)
  const work = mkdtempSync(join(tmpdir(), 'krm-variants-probe-'))
  try {
    const copy = join(work, basename(root))
    cpSync(root, copy, { recursive: true, filter: (path) => path === root || !/^(?:\.|node_modules$)/.test(basename(path)) })
    const names = new Map([...tree.packages.keys()].map((path, index) => [path, `krm-variants-probe-${index}`] as const))
    for (const [path, name] of names) if (!addObject(join(copy, path), name)) return new Map()
    const at: Host = { ...host, locate: (path) => path, warn: () => {} }
    const build = async (path: string, base: string) => {
      const asked = { ...options, kustomize: join(copy, path), hooks: 'leave-out', helmBinary: options.helmBinary ?? 'helm' } as const
      const built = await readVendorSource('kustomize', asked, at).catch(() => undefined)
      const name = names.get(base) ?? ''
      return built?.objects.find(({ object }) => object.kind === 'ConfigMap' && object.name?.includes(name) === true)?.object
    }
    const own = new Map<string, KrmObject>()
    for (const base of names.keys()) own.set(base, (await build(base, base)) ?? KrmObject.fromDocument('{}\n'))
    const probes = new Map<string, ReadonlyMap<string, KrmObject>>()
    for (const { id, path, bases } of tree.overlays) {
      const found = new Map<string, KrmObject>()
      for (const base of bases) {
        const probe = await build(path, base)
        if (probe !== undefined) found.set(base, withoutOwn(probe, own.get(base)))
      }
      probes.set(id, found)
    }
    return probes
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Returns a probe without the labels and annotations that the base itself gives each of its objects. */
function withoutOwn(probe: KrmObject, own: KrmObject | undefined): KrmObject {
  for (const field of ['labels', 'annotations'] as const)
    for (const [key, value] of own?.[field] ?? []) if (probe[field].get(key) === value) probe.delete(['metadata', field, key])
  return probe
}

/** Adds a ConfigMap to the kustomization of a folder of the copy. Returns false for a base outside of the copy. */
function addObject(folder: string, name: string): boolean {
  const file = KUSTOMIZATIONS.map((each) => join(folder, each)).find((each) => existsSync(each))
  if (file === undefined) return false
  const kustomization = KrmObject.fromDocument(readFileSync(file, 'utf8'))
  const resources = kustomization.get(['resources'])
  kustomization.set(['resources'], [...(Array.isArray(resources) ? resources : []), `${name}.yaml`])
  writeFileSync(file, kustomization.toText())
  writeFileSync(join(folder, `${name}.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`)
  return true
}
