import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Host } from '../host.ts'
import { readVendorSource } from '../import/import-sources.ts'
import { KUSTOMIZATIONS } from '../import/kustomize-faults.ts'
import type { ConvertOptions } from './built-tree.ts'
import type { KustomizeTree } from './kustomize-tree.ts'

/** The added ConfigMap of each base, as each overlay builds it: by the id of the overlay, then by the path of the base. */
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
    const names = probeNames(tree.packages.keys())
    for (const [path, name] of names) if (!addObject(join(copy, path), name)) return new Map()
    const at: Host = { ...host, locate: (path) => path, warn: () => {} }
    const build = async (path: string): Promise<ReadonlyMap<string, KrmObject>> => {
      const asked = { ...options, kustomize: join(copy, path), hooks: 'leave-out', helmBinary: options.helmBinary ?? 'helm' } as const
      const built = await readVendorSource('kustomize', asked, at).catch(() => undefined)
      return probesIn(built?.objects.map(({ object }) => object) ?? [], names)
    }
    const own = new Map<string, KrmObject>()
    for (const base of names.keys()) {
      const probe = (await build(base)).get(base)
      if (probe !== undefined) own.set(base, probe)
    }
    const probes = new Map<string, ReadonlyMap<string, KrmObject>>()
    for (const { id, path } of tree.overlays) {
      const found = await build(path)
      probes.set(id, new Map([...found].map(([base, probe]) => [base, withoutOwn(probe, own.get(base))])))
    }
    return probes
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Returns the name of the added ConfigMap of each base. No name is a part of another one, since overlays write prefixes and suffixes. */
export function probeNames(bases: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...bases].map((path, index) => [path, `krm-variants-probe-${index}-of-base`] as const))
}

/** Returns the added ConfigMaps among the objects that a folder builds, by the paths of their bases. */
export function probesIn(objects: readonly KrmObject[], names: ReadonlyMap<string, string>): ReadonlyMap<string, KrmObject> {
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap')
  return new Map(
    [...names].flatMap(([base, name]) => {
      const probe = maps.find((each) => each.name?.includes(name) === true)
      return probe === undefined ? [] : [[base, probe] as const]
    }),
  )
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
