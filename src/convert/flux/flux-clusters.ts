import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { asRecord, equalJson, type JsonRecord, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, shortestPath } from '../../resource-list/package-of.ts'
import { formatResourceRef } from '../../result.ts'

/** A Kustomization of Flux that deploys a folder into a cluster. */
export interface FluxPart {
  readonly path: string
  /** The object in messages, with the place of its variables: `clusters/prod/apps.yaml:9:5: Kustomization flux-system/apps`. */
  readonly name: string
  readonly spec: JsonRecord
}

/** A folder whose Kustomizations Flux applies in one cluster, such as `clusters/prod`. */
export interface FluxFolder {
  readonly path: string
  readonly parts: readonly FluxPart[]
}

/** Why something of a Kustomization is not carried over. */
interface FluxNote {
  readonly field: FieldPath
  readonly text: string
}

/** A tree in its git repository. All paths are relative to the repository. */
export interface FluxRepository {
  /** The objects of the files. */
  readonly objects: readonly KrmObject[]
  /** The folder of the tree; '' if the tree is the repository. */
  readonly tree: string
  /** The folders of the tree with a kustomization, with the folders outside of its own that it names. */
  readonly bases: ReadonlyMap<string, readonly string[]>
  /** The folders that an earlier conversion made clusters of their own. */
  readonly converted: ReadonlySet<string>
  /** Returns the place of a field in messages. */
  readonly placeOf: (object: KrmObject, field: FieldPath) => string
}

/** The fields of a Kustomization that change objects and that convert does not follow, and what that means. */
const NOT_FOLLOWED: readonly (readonly [FieldPath, string])[] = [
  [['commonMetadata'], 'the objects are without these labels and annotations'],
  [['components'], 'the objects are as without these components'],
  [['decryption'], 'Secrets stay encrypted'],
  [['images'], 'the objects keep their images'],
  [['namePrefix'], 'the objects keep their names'],
  [['nameSuffix'], 'the objects keep their names'],
  [['patchesJson6902'], 'the objects are as without these patches'],
  [['patchesStrategicMerge'], 'the objects are as without these patches'],
  [['postBuild', 'substituteFrom'], 'variables whose values only the cluster has stay in the objects'],
]

/** The fields that change objects and that convert follows. */
const FOLLOWED: readonly FieldPath[] = [['targetNamespace'], ['patches'], ['postBuild', 'substitute']]

/** The fields by which the Kustomization of the folder of a cluster changes the other Kustomizations. */
const OF_ROOTS: typeof NOT_FOLLOWED = [
  [['patches'], 'the Kustomizations of the cluster are as without these patches'],
  [['postBuild'], 'variables in the Kustomizations of the cluster stay'],
  [['targetNamespace'], 'the Kustomizations of the cluster keep their namespaces'],
]

/**
 * Returns the folders of clusters with the Kustomizations that deploy folders of the tree there, and a line for everything in the tree, or
 * about the tree, that is not carried over.
 *
 * The folder of a cluster is the `spec.path` of a Kustomization that lies below this path, in one file with its source, as `flux bootstrap`
 * writes both; without such a Kustomization, the folder of the file. Kustomizations in folders with a kustomization are objects of it, and
 * no part of a cluster.
 */
export function fluxFolders(repository: FluxRepository): { readonly folders: readonly FluxFolder[]; readonly notes: readonly string[] } {
  const { objects, tree, placeOf } = repository
  const nameOf = (object: KrmObject, field: FieldPath) => `${placeOf(object, field)}: ${formatResourceRef(object.ref)}`
  const linesOf = (object: KrmObject, notes: readonly FluxNote[]) => notes.map(({ field, text }) => `${nameOf(object, field)} ${text}`)
  const all = objects.filter(isFluxKustomization).map((object) => ({ object, folder: folderIn(object), path: pathOf(object) }))
  const roots = all.filter((each) => isRoot(each, objects))
  const placed = all
    .filter((each) => !roots.includes(each) && (isWithin(tree, each.folder) || isWithin(tree, each.path)))
    .map(({ object, folder, path }) => {
      const root = roots.filter((each) => isWithin(each.path, folder)).toSorted((a, b) => b.path.length - a.path.length)[0]
      return { object, path, root: root?.object, cluster: root?.path ?? folder }
    })
  const followed = placed.filter((each) => refused(each, repository) === undefined)
  const refusals = new Map(placed.map((each) => [each, refused(each, repository) ?? sharedBase(each, followed, repository)]))
  const parts = placed.filter((each) => refusals.get(each) === undefined)
  const folders = [...groupBy(parts, ({ cluster }) => cluster)].map(([path, own]) => ({
    path,
    parts: own.map((each) => ({
      path: each.path,
      name: nameOf(each.object, ['spec', 'postBuild', 'substitute']),
      spec: asRecord(each.object.get(['spec'])),
    })),
  }))
  return {
    folders: folders.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    notes: [
      ...roots.flatMap(({ object, path }) => (isWithin(tree, path) ? linesOf(object, fieldsLeft(object, OF_ROOTS)) : [])),
      ...placed.flatMap((each) => {
        const refusal = refusals.get(each)
        return linesOf(each.object, refusal === undefined ? fieldsLeft(each.object, NOT_FOLLOWED) : [withLostFields(each.object, refusal)])
      }),
    ],
  }
}

/** Returns true for a Kustomization of Flux; kustomize has objects of the same kind. */
export function isFluxKustomization({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'Kustomization' && groupOf(apiVersion) === 'kustomize.toolkit.fluxcd.io'
}

/** Returns true for the Kustomization that deploys its own folder, with its source in the same file. */
function isRoot(
  { object, folder, path }: { readonly object: KrmObject; readonly folder: string; readonly path: string },
  objects: readonly KrmObject[],
) {
  const own = object.file?.path ?? ''
  // The root of another repository, whose source is in the same file, is no folder of this one.
  if (!isWithin(path, folder) || (path === '' && !own.endsWith('gotk-sync.yaml'))) return false
  return sourcesOf(object, objects).some(({ file }) => file?.path === own)
}

/** Returns the objects of files that are the source of a Kustomization. */
function sourcesOf(kustomization: KrmObject, objects: readonly KrmObject[]): readonly KrmObject[] {
  const source = sourceOf(kustomization)
  return objects.filter(({ kind, name }) => kind === source.kind && name === source.name)
}

function sourceOf(kustomization: KrmObject) {
  const { kind, name, namespace } = asRecord(kustomization.get(['spec', 'sourceRef']))
  return { kind: scalarText(kind), name: scalarText(name), namespace: scalarText(namespace) || (kustomization.namespace ?? '') }
}

function pathOf(object: KrmObject): string {
  return shortestPath(scalarText(object.get(['spec', 'path'])))
}

function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

interface PlacedKustomization {
  readonly object: KrmObject
  readonly path: string
  /** The folder of the cluster, and the Kustomization that deploys the folder. */
  readonly cluster: string
  readonly root: KrmObject | undefined
}

/** Returns why a Kustomization is no part of a cluster of the fleet; undefined for a part. */
function refused({ object, path, cluster, root }: PlacedKustomization, repository: FluxRepository): FluxNote | undefined {
  if (isInKustomization(folderIn(object), root && cluster, repository.bases))
    return { field: [], text: 'stays an object for Flux where a kustomization lists it: what it deploys is not converted' }
  if (object.get(['spec', 'kubeConfig']) !== undefined)
    return { field: ['spec', 'kubeConfig'], text: 'is not followed: its `spec.kubeConfig` is another cluster' }
  const isOfTree = root === undefined ? sourcesOf(object, repository.objects).length === 0 : equalJson(sourceOf(object), sourceOf(root))
  if (!isOfTree || sourceOf(object).kind === 'ExternalArtifact')
    return { field: ['spec', 'sourceRef'], text: 'is not followed: its `spec.sourceRef` is not the repository of the tree' }
  if (repository.converted.has(path))
    return {
      field: ['spec', 'path'],
      text: 'is not followed: its overlay is a cluster of its own since an earlier conversion; convert into a new folder to change that',
    }
  if (!repository.bases.has(path))
    return { field: ['spec', 'path'], text: `is not followed: its \`spec.path\` '${path || '.'}' has no kustomization.yaml in the tree` }
  return undefined
}

/** Returns why a Kustomization is no part of a cluster if another one of the cluster has the same base: a cluster has a package once. */
function sharedBase(
  own: PlacedKustomization,
  placed: readonly PlacedKustomization[],
  { bases }: Pick<FluxRepository, 'bases'>,
): FluxNote | undefined {
  const basesOf = ({ path }: PlacedKustomization) => [path, ...(bases.get(path) ?? [])]
  const other = placed.find(
    (each) => each !== own && each.cluster === own.cluster && basesOf(each).some((base) => basesOf(own).includes(base)),
  )
  if (other === undefined) return undefined
  const named = formatResourceRef(other.object.ref)
  return { field: ['spec', 'path'], text: `is not followed: ${named} deploys the same base, and a cluster has each package once` }
}

/**
 * Returns true if a folder, or one around it, has a kustomization that may list its files. The kustomization of the folder of a
 * bootstrapped cluster lists what Flux applies there anyway, unless it is an overlay.
 */
export function isInKustomization(folder: string, cluster: string | undefined, bases: FluxRepository['bases']): boolean {
  const own = bases.get(folder)
  if (folder === cluster) return own !== undefined && own.length > 0
  return own !== undefined || (folder !== '' && isInKustomization(folderOf(folder), cluster, bases))
}

function folderIn({ file }: KrmObject): string {
  return folderOf(file?.path ?? '')
}

/** Returns the reason with the fields of a Kustomization that are not carried over because of it. */
function withLostFields(object: KrmObject, { field, text }: FluxNote): FluxNote {
  const lost = [...FOLLOWED, ...NOT_FOLLOWED.map(([each]) => each)].filter((each) => object.get(['spec', ...each]) !== undefined)
  const names = lost.map((each) => `\`spec.${each.join('.')}\``).join(', ')
  return { field, text: lost.length === 0 ? text : `${text}; not carried over: ${names}` }
}

function fieldsLeft(object: KrmObject, fields: typeof NOT_FOLLOWED): readonly FluxNote[] {
  return fields.flatMap(([field, meaning]) =>
    object.get(['spec', ...field]) === undefined
      ? []
      : [{ field: ['spec', ...field], text: `\`spec.${field.join('.')}\` is not carried over: ${meaning}` }],
  )
}
