import { foldedPath } from '../folder/safe-path.ts'
import { sha256Hex, truncateName } from '../kubernetes/truncated-name.ts'
import { groupOf, identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { documentText, type VendorObject } from './vendor-objects.ts'

/**
 * Returns the files of a package with the objects of a vendor, by path. Every object has a file of its own, `KIND-NAME.yaml`, with the
 * namespace in front if the objects have several; CustomResourceDefinitions are in `crds/`. The order of the objects makes no difference,
 * so the next revision has the same files.
 *
 * Deployment web → `deployment-web.yaml`; Role kube-system/cert, beside objects of cert-manager → `kube-system-role-cert.yaml`
 *
 * An object that the last revision has in another file stays in that file, also among others.
 *
 * @param last    the objects of the last revision, in the order of their files; none for the first revision
 * @param others  the paths of the files beside these objects, which no object gets. If one is called `crds`, or makes `crds/` a package
 *   of its own, new definitions are beside the other objects
 */
export function layOutFiles(
  objects: readonly VendorObject[],
  last: readonly KrmObject[] = [],
  others: readonly string[] = [],
): ReadonlyMap<string, string> {
  const places = new LastPlaces(last)
  const paths = new Map(objects.map((each) => [each, places.of(each.object)]))
  const fresh = objects.filter((each) => paths.get(each) === undefined)
  const taken = new Set([...paths.values(), ...others].flatMap((path) => (path === undefined ? [] : placesOf(foldedPath(path)))))
  const isTaken = [...others].map(foldedPath).some((path) => path === 'crds' || path === foldedPath('crds/Kptfile'))
  const naming = { withNamespace: severalNamespaces(objects), definitions: isTaken ? '' : 'crds/' }
  for (const [each, path] of newPaths(fresh, naming, taken)) paths.set(each, path)
  const files = new Map<string, VendorObject[]>()
  for (const each of objects.toSorted((a, b) => places.compare(a.object, b.object))) {
    const path = paths.get(each) ?? ''
    files.set(path, [...(files.get(path) ?? []), each])
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, own]) => [path, own.map(documentText).join('---\n')]))
}

interface Naming {
  readonly withNamespace: boolean
  /** The folder of CustomResourceDefinitions. */
  readonly definitions: string
}

/** Returns the path of a file and those of the folders above it: no file can be in their place. */
function placesOf(path: string): readonly string[] {
  return path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
}

/** The files of the objects of the last revision. */
class LastPlaces {
  readonly #byIdentity = new Map<string, { readonly path: string; readonly order: number }>()
  /** The places by kind, namespace and name: the group of a kind may change. Undefined if several objects have them. */
  readonly #byName = new Map<string, string | undefined>()

  constructor(objects: readonly KrmObject[]) {
    for (const [order, object] of objects.entries()) {
      const path = object.file?.path
      const identity = identityOfObject(object)
      if (path === undefined || !/\.ya?ml$/.test(path) || this.#byIdentity.has(identity)) continue
      this.#byIdentity.set(identity, { path, order })
      const name = withoutGroup(object)
      this.#byName.set(name, this.#byName.has(name) ? undefined : path)
    }
  }

  of(object: KrmObject): string | undefined {
    return this.#byIdentity.get(identityOfObject(object))?.path ?? this.#byName.get(withoutGroup(object))
  }

  /** Compares two objects by their order in the last revision; new objects come last, in the order of their identities. */
  compare(a: KrmObject, b: KrmObject): number {
    const [one, other] = [a, b].map(identityOfObject)
    const orderOf = (identity = '') => this.#byIdentity.get(identity)?.order ?? Number.MAX_SAFE_INTEGER
    return orderOf(one) - orderOf(other) || (one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1)
  }
}

function withoutGroup({ kind, namespace, name }: KrmObject): string {
  return JSON.stringify([kind, namespace, name])
}

function severalNamespaces(objects: readonly VendorObject[]): boolean {
  return new Set(objects.flatMap(({ object: { namespace } }) => namespace || [])).size > 1
}

/**
 * Returns the paths of objects that the last revision does not have. Objects whose names are one for some file system, such as roles `Web`
 * and `web`, and objects of kinds with one name get the group of their kind, and if that is not enough a digest, and then a number.
 */
function newPaths(objects: readonly VendorObject[], naming: Naming, taken: ReadonlySet<string>): ReadonlyMap<VendorObject, string> {
  const found = new Map<VendorObject, string>()
  let [left, used] = [objects, new Set(taken)]
  for (const nameOf of NAMES) {
    const wanted = new Map(left.map((each) => [each, pathOf(each.object, nameOf(each.object), naming)]))
    const counts = new Map<string, number>()
    for (const path of wanted.values()) counts.set(foldedPath(path), (counts.get(foldedPath(path)) ?? 0) + 1)
    const isFree = (path: string) => counts.get(foldedPath(path)) === 1 && !used.has(foldedPath(path))
    for (const [each, path] of wanted) if (isFree(path)) found.set(each, path)
    left = left.filter((each) => !found.has(each))
    used = new Set([...taken, ...[...found.values()].map(foldedPath)])
  }
  for (const each of left) {
    const numbered = (number: number) => pathOf(each.object, `${withDigest(each.object)}-${number}`, naming)
    let number = 2
    while (used.has(foldedPath(numbered(number)))) number++
    found.set(each, numbered(number))
    used.add(foldedPath(numbered(number)))
  }
  return found
}

/** The names of the file of an object, the first of which is taken that no other object or file has. */
const NAMES: readonly ((object: KrmObject) => string)[] = [
  ({ kind = '', name = '' }) => `${label(kind)}-${part(name)}`,
  ({ apiVersion = '', kind = '', name = '' }) => `${label(kind)}-${part(groupOf(apiVersion))}-${part(name)}`,
  withDigest,
]

function withDigest(object: KrmObject): string {
  const digest = sha256Hex(identityOfObject(object)).slice(0, 10)
  return `${label(object.kind ?? '')}-${truncateName(part(object.name ?? ''), LONGEST)}-${digest}`
}

/** The most bytes of a part of a name: a file name has at most 255. */
const LONGEST = 150

function pathOf({ kind, apiVersion = '', namespace }: KrmObject, name: string, { withNamespace, definitions }: Naming): string {
  const isDefinition = kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io'
  const whole = withNamespace && namespace ? `${label(namespace)}-${name}` : name
  return `${isDefinition ? definitions : ''}${truncateName(whole, 2 * LONGEST - 60)}.yaml`
}

/** Returns a kind or namespace as the beginning of a file name. Without a dot and with `-` behind it, no name is a device of Windows. */
function label(text: string): string {
  return part(text).replaceAll('.', '-')
}

/** Returns a text as a part of a file name that every file system takes: `system:Auth` → `system-auth`. */
function part(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
}
