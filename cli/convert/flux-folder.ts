import { readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { type FluxPart, fluxFolders, isFluxKustomization, isInKustomization } from '../../src/convert/flux/flux-clusters.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { readDocuments } from '../../src/folder/read-package-file.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf } from '../../src/resource-list/package-of.ts'
import { formatResourceRef } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { checkoutOf } from './applicationset-folder.ts'
import { filesBelow } from './write-fleet.ts'

export interface FluxTree {
  /** An overlay for each folder of a cluster. */
  readonly overlays: readonly FluxOverlay[]
  /** A line with its place for everything that is not carried over. */
  readonly notes: readonly string[]
  /** The HelmReleases in files of the tree, each with its place. */
  readonly releases: readonly { readonly name: string; readonly place: string }[]
}

type FluxOverlay = Pick<Overlay, 'path' | 'bases'> & { readonly parts: readonly FluxPart[] }

/**
 * Reads what Flux deploys of a tree: from the files of the git repository around the tree, or without one of the tree alone. A
 * kustomization that names no folder outside of its own is its own base: the cluster gets the folder with what the Kustomization of Flux
 * changes.
 *
 * @param dir  the tree as the caller named it
 * @param converted  the folders that an earlier conversion made clusters of their own
 */
export function readFluxTree(
  dir: string,
  kustomizations: readonly { readonly path: string; readonly bases: readonly string[] }[],
  converted: ReadonlyMap<string, string>,
  host: Host,
): FluxTree {
  const place = realPlace(host.locate(dir))
  const checkout = checkoutOf(join(place, 'any'), host)
  const tree = relative(checkout, place)
  const inTree = (path: string) => posix.relative(`/${tree}`, `/${path}`)
  const inCheckout = (path: string) => posix.join('/', tree, path).slice(1)
  const placeOf = (object: KrmObject, field: FieldPath) => {
    const { line, column } = object.positionOf(field)
    return `${posix.join(dir, inTree(object.file?.path ?? ''))}:${line}:${column}`
  }
  const { files, tooLarge } = yamlFiles(checkout)
  const objects = files.flatMap((path) => objectsIn(checkout, path, 'toolkit.fluxcd.io/'))
  const bases = new Map(kustomizations.map(({ path, bases }) => [inCheckout(path), bases.map(inCheckout)]))
  const { folders, notes } = fluxFolders({
    objects,
    tree,
    bases,
    converted: new Set([...converted.keys()].map(inCheckout)),
    placeOf,
  })
  const basesOf = new Map(kustomizations.map(({ path, bases }) => [path, bases.length > 0 ? bases : [path]]))
  // The files gotk-*.yaml of `flux bootstrap` are Flux itself.
  const own = files.filter((path) => !posix.basename(path).startsWith('gotk-'))
  const appliedIn = (folder: string) =>
    own.filter((path) => path.startsWith(`${folder}/`) && !bases.has(folder) && !isInKustomization(folderOf(path), folder, bases))
  const alone = folders.flatMap(({ path }) => appliedIn(path)).flatMap((path) => objectsIn(checkout, path, 'kind'))
  return {
    overlays: folders.map(({ path, parts }) => {
      const placed = parts.map((part) => ({ ...part, path: inTree(part.path) }))
      return { path: inTree(path), parts: placed, bases: [...new Set(placed.flatMap((part) => basesOf.get(part.path) ?? []))].toSorted() }
    }),
    notes: [
      ...notes,
      ...tooLarge.map((path) => `${posix.join(dir, inTree(path))}: ${TOO_LARGE}`),
      ...alone
        .filter((object) => object.name !== undefined && !isFluxKustomization(object) && !isHelmRelease(object))
        .map((object) => `${placeOf(object, [])}: ${formatResourceRef(object.ref)} ${OUTSIDE}`),
    ],
    releases: objects
      .filter(isHelmRelease)
      .filter(({ file }) => tree === '' || file?.path.startsWith(`${tree}/`) === true)
      .map((object) => ({ name: object.name ?? '', place: placeOf(object, []) })),
  }
}

const OUTSIDE = 'is in no kustomization, so no cluster gets it: Flux applies it from the folder of the cluster'

function isHelmRelease({ kind, apiVersion = '' }: KrmObject): boolean {
  return kind === 'HelmRelease' && groupOf(apiVersion) === 'helm.toolkit.fluxcd.io'
}

const TOO_LARGE = 'has more than 64 MB, so no Kustomization of Flux is looked for in the file'

/** Returns the YAML files of a repository. Those apart that are larger than manifests can be are data beside the manifests. */
function yamlFiles(root: string): { readonly files: readonly string[]; readonly tooLarge: readonly string[] } {
  const all = filesBelow(root).filter((path) => /\.ya?ml$/.test(path))
  const tooLarge = new Set(all.filter((path) => statSync(join(root, path)).size > 64 * 1024 * 1024))
  return { files: all.filter((path) => !tooLarge.has(path)), tooLarge: [...tooLarge] }
}

/** Returns the objects of a file that holds a text. Documents that cannot be read, such as templates, are left out. */
function objectsIn(root: string, path: string, text: string): readonly KrmObject[] {
  const bytes = readFileSync(join(root, path))
  if (!bytes.includes(text)) return []
  return readDocuments(path, bytes.toString()).documents.flatMap(({ object }) => (object === undefined ? [] : appliedObjects(object)))
}
