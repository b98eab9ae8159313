import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, type JsonRecord, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { mergeBaseOf } from './generated-objects.ts'
import { editedSyncFields } from './people-edits.ts'
import { withoutSlashes } from './repository-faults.ts'

/** The sync objects of a run that come and go. */
export interface ComingAndGoing {
  /** The objects that the fleet needs and the list lacks. */
  readonly coming: readonly JsonRecord[]
  /** The objects that the fleet does not need any more. */
  readonly left: readonly KrmObject[]
  /** All objects that the fleet needs. */
  readonly wanted: readonly JsonRecord[]
}

/** Returns true if the package that an object deploys was in another folder of the same git repository before. */
export type WasIn = (coming: JsonRecord, folder: string) => boolean

/** What a sync object deploys: a folder of a git repository or of an artifact. */
interface DeployedFolder {
  readonly kind: string
  /** The address of the repository or artifact. */
  readonly source: string
  /** Without slashes at its ends; '' for the whole repository. */
  readonly folder: string
}

interface Placed<Value> extends DeployedFolder {
  readonly value: Value
}

interface Pair {
  readonly coming: JsonRecord
  readonly former: KrmObject
}

/**
 * Returns the objects that come, each with the object that goes and deployed the same: the same folder under another name of the object, or
 * a package that moved to another folder. Where several objects could be meant, none is taken.
 *
 * @example  `nameExpr` changed, so that Application `eu-dns` comes and Application `ber-dns` of the same folder goes
 */
export function findMovedObjects({ coming, left, wanted }: ComingAndGoing, wasIn: WasIn): ReadonlyMap<JsonRecord, KrmObject> {
  // Without the state that was generated, what people wrote is not known.
  const generated = left.flatMap((object) => {
    const base = mergeBaseOf(object)
    return base === undefined ? [] : [{ object, base }]
  })
  const [urlsNow, urlsBefore] = [urlsOf(wanted), urlsOf([...wanted, ...generated.map(({ base }) => base)])]
  const come = coming.map((value): Placed<JsonRecord> => ({ value, ...deployedFolder(value, urlsNow) }))
  const go = generated.map(({ object, base }): Placed<KrmObject> => ({ value: object, ...deployedFolder(base, urlsBefore) }))
  const renamed = pairsOf(come, go, (one, other) => one.folder === other.folder)
  const known = new Set<unknown>(renamed.flatMap((pair) => [pair.coming, pair.former]))
  const isOpen = ({ value }: Placed<unknown>): boolean => !known.has(value)
  const isMoved = (one: Placed<JsonRecord>, other: Placed<KrmObject>): boolean => wasIn(one.value, other.folder)
  // Git is asked only if there is something to keep.
  const edited = pairsOf(
    come.filter(isOpen),
    go.filter(isOpen).filter(({ value }) => isEdited(value)),
    isMoved,
  )
  const asked = new Set(edited.map((pair) => pair.coming))
  const moved = onlyOnes(
    pairsOf(
      come.filter(({ value }) => asked.has(value)),
      go.filter(isOpen),
      isMoved,
    ),
  )
  return new Map([...onlyOnes(renamed), ...moved].map((pair) => [pair.coming, pair.former]))
}

/** Returns true for an object in which people wrote fields or comments. */
function isEdited(object: KrmObject): boolean {
  return object.toText().includes('#') || editedSyncFields(object).length > 0
}

function pairsOf(
  come: readonly Placed<JsonRecord>[],
  go: readonly Placed<KrmObject>[],
  isSame: (one: Placed<JsonRecord>, other: Placed<KrmObject>) => boolean,
): readonly Pair[] {
  const bySource = groupBy(go, sourceOf)
  return come.flatMap((one) =>
    (bySource.get(sourceOf(one)) ?? []).filter((other) => isSame(one, other)).map((other) => ({ coming: one.value, former: other.value })),
  )
}

function sourceOf({ kind, source }: DeployedFolder): string {
  return `${kind} ${source}`
}

/** Returns the pairs whose two objects are in no other pair. */
function onlyOnes(pairs: readonly Pair[]): readonly Pair[] {
  const [byComing, byFormer] = [groupBy(pairs, ({ coming }) => coming), groupBy(pairs, ({ former }) => former)]
  return pairs.filter(({ coming, former }) => byComing.get(coming)?.length === 1 && byFormer.get(former)?.length === 1)
}

/** Returns the addresses of the sources of Flux, by kind, namespace and name. Of two with one key the last counts. */
function urlsOf(objects: readonly JsonRecord[]): ReadonlyMap<string, string> {
  return new Map(objects.map((value) => [referenceKey(value, asRecord(value.metadata)), asUrl(scalarText(asRecord(value.spec).url))]))
}

function referenceKey({ kind }: JsonRecord, { namespace, name }: JsonRecord): string {
  return [kind, namespace, name].map((part) => scalarText(part)).join(' ')
}

function deployedFolder(value: JsonRecord, urls: ReadonlyMap<string, string>): DeployedFolder {
  const spec = asRecord(value.spec)
  const kind = scalarText(value.kind)
  const placed = (source: string, folder: string): DeployedFolder => ({ kind, source, folder: withoutSlashes(folder) })
  if (kind === 'Kustomization') {
    const reference = asRecord(spec.sourceRef)
    const source = urls.get(referenceKey(reference, { ...asRecord(value.metadata), ...reference }))
    return placed(source ?? scalarText(reference.name), scalarText(spec.path))
  }
  if (kind === 'Application') {
    const source = asRecord(spec.source)
    return placed(scalarText(source.repoURL), scalarText(source.path))
  }
  if (kind === 'ApplicationSet') {
    const elements = asList(spec.generators).flatMap((generator) => asList(asRecord(asRecord(generator).list).elements).map(asRecord))
    return placed('', JSON.stringify(elements.map(({ url, path }) => [url ?? '', path ?? ''])))
  }
  if (kind === 'RootSync' || kind === 'RepoSync') {
    const [git, oci] = [asRecord(spec.git), asRecord(spec.oci)]
    return placed(scalarText(git.repo) + scalarText(oci.image).replace(/:[^:/]*$/, ''), scalarText(git.dir ?? oci.dir))
  }
  return placed(asUrl(scalarText(spec.url)), '')
}
