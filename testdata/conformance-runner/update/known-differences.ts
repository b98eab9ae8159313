import { equalJson, isRecord, type JsonValue, memberOf } from '../../../src/json.ts'
import type { Difference, Holds, KnownDifference } from '../adapter.ts'
import { resourcesIn } from '../written-resource.ts'
import { namesIn, ORDER } from './keyed-view.ts'
import { fileOf, hasAlias, isBelowKeyless, isUnreadable, kptfilesIn, sidesOf, valuesAt } from './sides.ts'
import { readVector, type Texts, type UpdateVector } from './vector.ts'

/** Where an update means to differ from kpt's: the deviations of docs/porch.md, Updates. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/porch.md U3',
    reason: 'kpt counts the package context that it made itself as a local change, so that a deployment package is never fast-forwarded',
    holds: on(({ strategy }) => strategy === 'fast-forward'),
    explains: (difference) => isTheirFault(difference) && changedFiles(difference).every((file) => file.endsWith('package-context.yaml')),
  },
  {
    row: 'docs/porch.md U4',
    reason:
      'what the downstream added to a subpackage that upstream deleted stays; kpt 1.0.0-beta.67 fails at the folder, newer kpt does not',
    holds: on(({ strategy }) => strategy === 'copy-merge'),
    explains: (difference) => isTheirFault(difference) && /directory not empty/.test(String(difference.expected)),
  },
  {
    row: 'docs/porch.md U5',
    reason: 'what one side removed and the other left alone is gone; kpt leaves empty maps of it, and the entries that hold them',
    explains: isTheirShell,
  },
  {
    row: 'docs/porch.md U6',
    reason: 'a null of the downstream stays, and a value takes the place of a null; kpt forgets such fields (newer kpt does not)',
    explains: ({ what, expected, actual }, vector) => {
      const { original, updated, local } = valuesAt(readVector(vector), { what })
      const changed = equalJson(original, updated) ? local : updated
      const ours = local === null && original !== null ? null : changed
      return expected === undefined && (original === null || local === null) && equalJson(actual, ours)
    },
  },
  {
    row: 'docs/porch.md U7',
    reason: 'a scalar that upstream made another type of is as upstream has it; kpt keeps the old type, or the old quotes',
    explains: (difference, vector) => {
      const { expected, actual } = difference
      const { original, updated } = valuesAt(readVector(vector), difference)
      const isSameText = String(expected) === String(actual) || String(original) === String(updated)
      return isScalar(expected) && isScalar(actual) && equalJson(actual, updated) && isSameText
    },
  },
  {
    row: 'docs/porch.md U8',
    reason:
      'entries that upstream put between others, and a new order of them, come through; kpt puts new ones at the end, and keeps the order',
    explains: (difference, vector) => {
      const { original, updated } = valuesAt(readVector(vector), difference)
      return difference.what.endsWith(`["${ORDER}"]`) && isReordered(original, updated) && isOrderOf(difference.actual, updated)
    },
  },
  {
    row: 'docs/porch.md U9',
    reason:
      'an entry that comes back, or stays with what the downstream added, keeps its key as it was; kpt writes a text, leaves out an image, or drops a port that lost its protocol',
    explains: isTheirKey,
  },
  {
    row: 'docs/porch.md U18',
    reason: 'a list in which an entry has no key is one value; kpt drops entries of it, puts others beside them, or fails',
    explains: (difference, vector) =>
      (isTheirFault(difference) && /conflicting merge keys/.test(String(difference.expected))) ||
      (isBelowKeyless(sidesOf(readVector(vector)), difference) && isOneSides(difference, vector)),
  },
  {
    row: 'docs/porch.md U10',
    reason: 'a folder that is a package on one side only is merged file by file; kpt fails',
    holds: on(hasHalfPackage),
    explains: (difference) => isTheirFault(difference) && /missing Resource metadata/.test(String(difference.expected)),
  },
  {
    row: 'docs/porch.md U11',
    reason:
      'YAML without a resource in it is one value like any other file, and a .krmignore hides nothing from an update; kpt fails, or leaves such files alone',
    holds: on((vector) => oddFiles(vector).length > 0),
    explains: (difference, vector) =>
      (isTheirFault(difference) && NO_RESOURCE.test(String(difference.expected))) ||
      (oddFiles(readVector(vector)).includes(fileOf(difference)) && isOneSides(difference, vector)),
  },
  {
    row: 'docs/porch.md U12',
    reason: 'a Kptfile may have fields that kpt does not know, which are merged, and another version; kpt fails',
    holds: on((vector) => sidesOf(vector).some(hasUnusualKptfile)),
    explains: (difference) => isTheirFault(difference) && KPTFILE_REFUSED.test(String(difference.expected)),
  },
  {
    row: 'docs/porch.md U13',
    reason:
      'an alias has the value that the alias stands for, and stays where that is the merged value; kpt writes aliases out or drops them',
    holds: on((vector) => aliasedFiles(vector).length > 0),
    explains: (difference, vector) => aliasedFiles(readVector(vector)).includes(fileOf(difference)) && isOneSides(difference, vector),
  },
  {
    row: 'docs/porch.md U14',
    reason: 'another type, and two resources of one name in a file, are no conflict where upstream changed nothing; kpt fails',
    explains: (difference) => isTheirFault(difference) && /wrong node kind|found duplicate/.test(String(difference.expected)),
  },
  {
    row: 'docs/porch.md U15',
    reason: 'a comment is no change of a list that is one value; kpt 1.0.0-beta.56 then takes the whole list from upstream',
    explains: (difference, vector) => {
      const { original, updated, local } = valuesAt(readVector(vector), difference)
      return (
        Array.isArray(original) &&
        equalJson(original, updated) &&
        equalJson(difference.actual, local) &&
        equalJson(difference.expected, updated)
      )
    },
  },
  {
    row: 'docs/porch.md U23',
    reason:
      'a resource that upstream moved to another file is there with what people changed, and once; kpt leaves the old one beside the new',
    holds: on((vector) => movedFiles(vector).length > 0),
    explains: (difference, vector) =>
      movedFiles(readVector(vector)).some(([from, to]) => {
        if (fileOf(difference) === from) return difference.actual === undefined
        const before = { ...difference, what: `${from}${difference.what.slice(to.length)}` }
        return fileOf(difference) === to && equalJson(difference.actual, valuesAt(readVector(vector), before).local)
      }),
  },
  {
    row: 'docs/porch.md U16',
    reason: 'a file that is no resource and that the downstream deleted stays deleted where upstream left it alone; kpt brings it back',
    explains: ({ what, expected, actual }, vector) => {
      const { original, updated, local } = valuesAt(readVector(vector), { what })
      const isLeftAlone = typeof original === 'string' && original === updated && local === undefined
      return isLeftAlone && expected === updated && actual === undefined
    },
  },
  {
    row: 'docs/porch.md U20',
    reason:
      'functions of which some have names, or with an image twice, are merged one by one: what the downstream added or edited stays; kpt takes the list of upstream',
    holds: on((vector) => STAGES.some((stage) => isOneValueToKpt(vector, stage))),
    explains: (difference, vector) => {
      const stage = STAGES.find((one) => difference.what.startsWith(`Kptfile: Kptfile.pipeline.${one}`))
      const { original, updated, local } = valuesAt(readVector(vector), difference)
      const isOwn = equalJson(original, updated) && equalJson(difference.actual, local) && equalJson(difference.expected, updated)
      return isOwn && stage !== undefined && isOneValueToKpt(readVector(vector), stage)
    },
  },
  {
    row: 'docs/porch.md U17',
    reason: 'a subpackage that upstream deleted and nobody changed goes; kpt counts the package context of its clone as a change',
    holds: on((vector) => goneSubpackages(vector).length > 0),
    explains: (difference, vector) => {
      const isGone = difference.expected !== undefined && difference.actual === undefined
      return isGone && goneSubpackages(readVector(vector)).some((folder) => fileOf(difference).startsWith(folder))
    },
  },
]

/**
 * Returns the folders, each with its slash, of subpackages that upstream deleted, and to which the downstream added a package context
 * alone.
 */
function goneSubpackages({ input: { original, updated, local } }: UpdateVector): readonly string[] {
  const folders = Object.keys(original).flatMap((path) => (path.endsWith('/Kptfile') ? [path.slice(0, -7)] : []))
  return folders.filter((folder) => {
    const below = (texts: Texts) => Object.keys(texts).filter((path) => path.startsWith(folder))
    const added = below(local).filter((path) => original[path] === undefined)
    return below(updated).length === 0 && equalJson(added, [`${folder}package-context.yaml`])
  })
}

const STAGES = ['mutators', 'validators'] as const

/**
 * Returns true if kpt takes a list of functions for one value: some have names and some not, or none has one and an image is there twice.
 */
function isOneValueToKpt(vector: UpdateVector, stage: (typeof STAGES)[number]): boolean {
  const lists = sidesOf(vector).map((texts) => {
    const [kptfile] = resourcesIn('Kptfile', texts.Kptfile ?? '') ?? []
    const functions = memberOf(kptfile?.value.pipeline, stage)
    return Array.isArray(functions) ? functions : []
  })
  const areNamed = lists.flat().map((fn) => memberOf(fn, 'name') !== undefined)
  const hasTwins = lists.some((list) => new Set(list.map((fn) => String(memberOf(fn, 'image')).split(':')[0])).size < list.length)
  return areNamed.includes(false) && (areNamed.includes(true) || hasTwins)
}

function on(holds: (vector: UpdateVector) => boolean): Holds {
  return (vector) => holds(readVector(vector))
}

/** Returns the old and the new file of each resource that upstream moved. */
function movedFiles({ input: { original, updated } }: UpdateVector): readonly (readonly [from: string, to: string])[] {
  const files = (texts: Texts) =>
    new Map(
      Object.entries(texts).flatMap(([path, text]) =>
        (resourcesIn(path, text) ?? []).map(
          ({ apiVersion, kind, namespace, name }) => [[apiVersion, kind, namespace, name].join(' '), path] as const,
        ),
      ),
    )
  const after = files(updated)
  return [...files(original)].flatMap(([identity, from]) => {
    const to = after.get(identity)
    return to === undefined || to === from ? [] : [[from, to] as const]
  })
}

/** They fail, we do not. */
function isTheirFault({ what, expected, actual }: Difference): boolean {
  return what === 'fault' && expected !== undefined && actual === undefined
}

/** The files that kpt says were changed. */
function changedFiles({ expected }: Difference): readonly string[] {
  return /files have been modified: \[(.*)\]/.exec(String(expected))?.[1]?.split(' ') ?? ['']
}

/** Something that is gone here, and nothing but empty maps in kpt; an empty function beside the others. */
function isTheirShell(difference: Difference, vector: Parameters<KnownDifference['explains']>[1]): boolean {
  const { expected, actual } = difference
  if (Array.isArray(expected) && isRecord(actual))
    return equalJson(
      expected.filter((entry) => !equalJson(entry, {})),
      entriesOf(actual),
    )
  const { original, updated, local } = valuesAt(readVector(vector), difference)
  return actual === undefined && isShell(expected) && original !== undefined && (updated === undefined || local === undefined)
}

/** The list of which a record is the keyed view. */
function entriesOf(view: JsonValue): readonly JsonValue[] {
  return namesIn(memberOf(view, ORDER)).flatMap((name) => memberOf(view, name) ?? [])
}

/** An empty map or list, or one of such, with what tells an entry apart. */
function isShell(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.every(isShell)
  return isRecord(value) && Object.entries(value).every(([key, child]) => key === 'name' || key === ORDER || isShell(child))
}

/** Ours is the value of the side that changed it: upstream's where both did; of a file that no side changed alone, any side's. */
function isOneSides({ what, actual }: Difference, vector: Parameters<KnownDifference['explains']>[1]): boolean {
  const { original, updated, local } = valuesAt(readVector(vector), { what })
  return equalJson(actual, equalJson(original, updated) ? local : updated)
}

/** Matches the error with which kpt refuses YAML without a resource in it, and Kptfiles. */
const NO_RESOURCE = /wrong node kind|missing Resource metadata|MalformedYAMLError|yaml: /
const KPTFILE_REFUSED = /error reading Kptfile|not found in type v1\.KptFile/

/** Returns true if the names of upstream stand in upstream's order. */
function isOrderOf(actual: JsonValue | undefined, updated: JsonValue | undefined): boolean {
  const wanted = namesIn(updated)
  const order = namesIn(actual).filter((name) => wanted.includes(name))
  return equalJson(
    order,
    wanted.filter((name) => order.includes(name)),
  )
}

function isScalar(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== 'object'
}

/** Returns true if an entry of the original stands behind one that is new, or behind another one than before. */
function isReordered(original: JsonValue | undefined, updated: JsonValue | undefined): boolean {
  const before = namesIn(original)
  const places = namesIn(updated).map((name) => before.indexOf(name))
  const last = places.findLastIndex((place) => place !== -1)
  return places.slice(0, last + 1).some((place, at) => place === -1 || place < (places[at - 1] ?? -1))
}

/** A key as a text, a function without its image, a port that is not there because its protocol is not. */
function isTheirKey(difference: Difference, vector: Parameters<KnownDifference['explains']>[1]): boolean {
  const { what, expected, actual } = difference
  const entry = valuesAt(readVector(vector), difference, { above: 1 })
  const isHalf = entry.original !== undefined && (entry.updated === undefined || entry.local === undefined)
  const { original, updated, local } = valuesAt(readVector(vector), difference)
  if (![original, updated, local].some((side) => equalJson(side, actual))) return false
  if (/\.(?:containerPort|port)$/.test(what)) return isHalf && String(expected) === String(actual)
  if (/\.image$/.test(what)) return isHalf && expected === undefined && actual !== undefined
  const ports = /\.ports$/.test(what) ? valuesAt(readVector(vector), difference) : entry
  const isGone = expected === undefined || actual === undefined || equalJson(expected, [])
  return /\.ports(?:\["[^"]*"\])?$/.test(what) && isGone && lostProtocol(ports.original, ports.updated)
}

function lostProtocol(original: JsonValue | undefined, updated: JsonValue | undefined): boolean {
  const names = (ports: JsonValue | undefined) => (isRecord(ports) ? Object.keys(ports) : [])
  return names(original).some((name) => name.includes('/') && names(updated).includes(name.split('/')[0] ?? ''))
}

/** A folder with a Kptfile on one side and without on another that has files in it. */
function hasHalfPackage(vector: UpdateVector): boolean {
  const sides = sidesOf(vector)
  const folders = new Set(
    sides.flatMap((texts) => Object.keys(texts).filter((path) => path.endsWith('/Kptfile'))).map((path) => path.slice(0, -7)),
  )
  const isHalf = (texts: Texts, folder: string) =>
    texts[`${folder}Kptfile`] === undefined && Object.keys(texts).some((path) => path.startsWith(folder))
  return [...folders].some((folder) => sides.some((texts) => isHalf(texts, folder)))
}

/** Files that a `.krmignore` names, and YAML files that hold no resource. */
function oddFiles(vector: UpdateVector): readonly string[] {
  const ignored = sidesOf(vector).flatMap((texts) => (texts['.krmignore'] ?? '').split('\n').filter((line) => line !== ''))
  const paths = [...new Set(sidesOf(vector).flatMap((texts) => Object.keys(texts)))]
  return paths.filter((path) => ignored.includes(path) || sidesOf(vector).some((texts) => isUnreadable(texts, path)))
}

const KPTFILE_FIELDS = ['apiVersion', 'kind', 'metadata', 'upstream', 'upstreamLock', 'info', 'pipeline', 'inventory', 'status']

function hasUnusualKptfile(texts: Texts): boolean {
  return kptfilesIn(texts).some(
    ({ apiVersion, fields }) => apiVersion !== 'kpt.dev/v1' || fields.some((field) => !KPTFILE_FIELDS.includes(field)),
  )
}

function aliasedFiles(vector: UpdateVector): readonly string[] {
  const paths = [...new Set(sidesOf(vector).flatMap((texts) => Object.keys(texts)))]
  return paths.filter((path) => sidesOf(vector).some((texts) => hasAlias(texts, path)))
}
