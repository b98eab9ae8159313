import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { mergeBaseOf } from './generated-objects.ts'
import { editedSyncFields } from './people-edits.ts'
import { withoutSlashes } from './repository-faults.ts'
import { referenceKey, sourceReference, successorSources } from './successor-sources.ts'

/** The sync objects of a run that come and go. */
export interface ComingAndGoing {
  /** The objects that the fleet needs and the list lacks. */
  readonly coming: readonly JsonRecord[]
  /** The objects that the fleet does not need any more. */
  readonly left: readonly KrmObject[]
  /** All objects that the fleet needs. */
  readonly wanted: readonly JsonRecord[]
  /** All sync objects of the list, as they are before the run. */
  readonly present: readonly KrmObject[]
}

/** Returns true if the package that an object deploys was in another folder of the same git repository before. */
export type WasIn = (coming: JsonRecord, folder: string) => boolean

/** A folder of a git repository or of an artifact that a sync object deploys to a cluster. */
interface DeployedFolder {
  /**
   * The kind, the address of the repository or artifact, its branch or tag, its Secret, and the cluster. Two clusters may deploy one folder
   * of one repository from a branch each.
   */
  readonly source: string
  /** Without slashes at its ends; '' for the whole repository. */
  readonly folder: string
  /** The namespace of the resources; '' if the object names none. A package that moves may get another one. */
  readonly namespace: string
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
 * a package that moved to another folder. Branch or tag, Secret and cluster must be the same. So is a source of Flux that takes the place
 * of another one, of another tag or branch, for all that read it. Where several objects could be meant, none is
 * taken.
 *
 * @example  `nameExpr` changed, so that Application `eu-dns` comes and Application `ber-dns` of the same folder goes
 */
export function findMovedObjects({ coming, left, wanted, present }: ComingAndGoing, wasIn: WasIn): ReadonlyMap<JsonRecord, KrmObject> {
  // Without the state that was generated, what people wrote is not known.
  const generated = left.flatMap((object) => {
    const base = mergeBaseOf(object)
    return base === undefined ? [] : [{ object, base }]
  })
  const before = sourcesOf(present.map((object) => mergeBaseOf(object) ?? object.toJson()))
  const now = sourcesOf(wanted)
  const come = coming.flatMap((value) => placed(value, deployedFolder(value, now)))
  const go = generated.flatMap(({ object, base }) => placed(object, deployedFolder(base, before)))
  const renamed = pairsOf(come, go, (one, other) => one.folder === other.folder && one.namespace === other.namespace)
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
  const found = [...onlyOnes(renamed), ...moved].map((pair) => [pair.coming, pair.former] as const)
  const successors = successorSources({ coming: coming.filter((value) => !known.has(value)), left, wanted, present })
  return new Map([...found, ...[...successors].filter(([, former]) => !known.has(former))])
}

function placed<Value>(value: Value, folder: DeployedFolder | undefined): readonly Placed<Value>[] {
  return folder === undefined ? [] : [{ value, ...folder }]
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
  const bySource = groupBy(go, ({ source }) => source)
  return come.flatMap((one) =>
    (bySource.get(one.source) ?? []).filter((other) => isSame(one, other)).map((other) => ({ coming: one.value, former: other.value })),
  )
}

/** Returns the pairs whose two objects are in no other pair. */
function onlyOnes(pairs: readonly Pair[]): readonly Pair[] {
  const [byComing, byFormer] = [groupBy(pairs, ({ coming }) => coming), groupBy(pairs, ({ former }) => former)]
  return pairs.filter(({ coming, former }) => byComing.get(coming)?.length === 1 && byFormer.get(former)?.length === 1)
}

/** Returns what the sources of Flux read, by kind, namespace and name. Of two with one key the last counts. */
function sourcesOf(objects: readonly JsonRecord[]): ReadonlyMap<string, string> {
  return new Map(objects.map((value) => [referenceKey(value, asRecord(value.metadata)), readBy(value)]))
}

function readBy({ spec }: JsonRecord): string {
  const { url, ref, secretRef } = asRecord(spec)
  return keyOfTexts([asUrl(scalarText(url)), ...textsIn(ref, ['branch', 'tag']), ...textsIn(secretRef, ['name'])])
}

/**
 * Returns what an object deploys; undefined if the object does not say so.
 *
 * @param sources  what the sources of Flux read
 */
function deployedFolder(value: JsonRecord, sources: ReadonlyMap<string, string>): DeployedFolder | undefined {
  const [spec, kind] = [asRecord(value.spec), scalarText(value.kind)]
  if (kind === 'Kustomization') {
    const source = sources.get(sourceReference(value))
    const cluster = textsIn(asRecord(spec.kubeConfig).secretRef, ['name'])
    return source === undefined
      ? undefined
      : {
          source: keyOfTexts([kind, source, ...cluster]),
          folder: withoutSlashes(scalarText(spec.path)),
          namespace: scalarText(spec.targetNamespace),
        }
  }
  if (kind === 'Application') {
    const [source, destination] = [asRecord(spec.source), asRecord(spec.destination)]
    return {
      source: keyOfTexts([kind, ...textsIn(source, ['repoURL', 'targetRevision']), ...textsIn(destination, ['server', 'name'])]),
      folder: withoutSlashes(scalarText(source.path)),
      namespace: scalarText(destination.namespace),
    }
  }
  if (kind === 'ApplicationSet') {
    const elements = asList(spec.generators).flatMap((generator) => asList(asRecord(asRecord(generator).list).elements))
    const texts = elements.flatMap((element) => textsIn(element, ['url', 'branch', 'path', 'server', 'destination', 'namespace']))
    // Sets without elements have nothing in common.
    return elements.length === 0 ? undefined : { source: keyOfTexts([kind, ...texts]), folder: '', namespace: '' }
  }
  if (kind === 'RootSync' || kind === 'RepoSync') {
    const [git, oci] = [asRecord(spec.git), asRecord(spec.oci)]
    const source = [...textsIn(git, ['repo', 'branch', 'revision']), ...textsIn(git.secretRef, ['name']), ...textsIn(oci, ['image'])]
    // The namespace of a RepoSync is a part of its name.
    return { source: keyOfTexts([kind, ...source]), folder: withoutSlashes(scalarText(git.dir ?? oci.dir)), namespace: '' }
  }
  return { source: keyOfTexts([kind, readBy(value)]), folder: '', namespace: '' }
}

function textsIn(value: JsonValue | undefined, keys: readonly string[]): readonly string[] {
  return keys.map((key) => scalarText(memberOf(value, key)))
}

function keyOfTexts(texts: readonly string[]): string {
  return JSON.stringify(texts)
}
