import { type FleetVariant, readVariants } from '../../fleet/fleet-variants.ts'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { DownstreamPlace, DownstreamPlaces } from '../package-steps.ts'

/** Returns variants of the upstream `catalog/app`, each named like its downstream REPOSITORY/PACKAGE unless another name is given. */
export function variantsOf(...downstreams: readonly (string | readonly [downstream: string, name: string])[]): readonly FleetVariant[] {
  const objects = downstreams.map((each, index) => {
    const [downstream, name] = typeof each === 'string' ? [each, each.replaceAll('/', '-').toLowerCase()] : each
    const at = downstream.indexOf('/')
    const value: JsonRecord = {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'PackageVariant',
      metadata: { name },
      spec: {
        upstream: { repo: 'catalog', package: 'app', revision: 1 },
        downstream: { repo: downstream.slice(0, at), package: downstream.slice(at + 1) },
      },
    }
    return KrmObject.fromDocument(JSON.stringify(value), { path: 'fleet.yaml', index, line: 1 })
  })
  const { variants, results } = readVariants(objects)
  if (variants.length < objects.length) throw new Error(JSON.stringify(results))
  return variants
}

/** A package in a folder: the variant that made it, and the folder of its upstream in git. */
export interface WrittenPlace {
  readonly owner?: string
  readonly directory?: string
}

/** Returns the place of a package in a folder, in `clusters`. */
export function packagePlace(folder: string, { owner, directory = 'app' }: WrittenPlace = {}): DownstreamPlace {
  const kptfile: JsonRecord = {
    apiVersion: 'kpt.dev/v1',
    kind: 'Kptfile',
    metadata: { name: 'app' },
    upstream: { type: 'git', git: { repo: 'r', directory, ref: 'v1' } },
  }
  const object = KrmObject.fromDocument(JSON.stringify(kptfile), { path: `clusters/${folder}/Kptfile`, index: 0, line: 1 })
  return {
    folder,
    repo: folder.split('/')[0] ?? '',
    isPackage: true,
    kptfile: () => object,
    kptfileFault: () => undefined,
    owner: owner === undefined ? undefined : { variant: `default/${owner}`, deletionPolicy: 'delete' },
  }
}

/** Returns the places of packages, those with an owner among the owned. */
export function packagePlaces(packages: Readonly<Record<string, WrittenPlace>>): DownstreamPlaces {
  const all = new Map(Object.entries(packages).map(([folder, written]) => [folder, packagePlace(folder, written)]))
  return {
    at: (folder) => all.get(folder),
    owned: [...all.values()].filter(({ owner }) => owner !== undefined),
    faults: [],
    isShared: false,
    linkOnWayTo: () => undefined,
    folderOf: ({ downstream }) => `${downstream.repo}/${downstream.package}`,
  }
}
