import { revisionNumber as readNumber, writtenRevision } from '../../kinds/revision.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, locate, packageFolders } from '../../resource-list/package-of.ts'
import { OWN_API } from '../../well-known.ts'
import { childField, childText, fieldAt, itemFields, type ObjectField, textAt } from '../reading/field.ts'
import { groupKind, namespaceOf } from '../reading/object-metadata.ts'

/** A package in a repository. */
export interface PackageAddress {
  readonly namespace: string
  readonly repository: string
  /** May hold slashes. */
  readonly package: string
}

/** A PackageVariant: derived from an upstream, written to a downstream. */
export interface PorchVariant {
  readonly object: KrmObject
  readonly upstream: PackageAddress
  /** A number, a text, or undefined. */
  readonly revision: number | string | undefined
  readonly workspaceName: string
  readonly downstream: PackageAddress
  /** The folder of the outermost kpt package that the variant is in; '' for none. */
  readonly root: string
}

/** A PackageRevision of Porch. */
export interface PorchRevision extends PackageAddress {
  readonly object: KrmObject
  readonly revision: number
  readonly workspaceName: string
  readonly lifecycle: string
}

/** A function of a Kptfile's pipeline that has a tag. */
export interface TaggedFunction {
  readonly image: string
  readonly tag: string
  readonly tagField: ObjectField
}

export function readPorchVariants(objects: readonly KrmObject[]): PorchVariant[] {
  const packages = packageFolders(objects)
  return objects
    .filter((object) => groupKind(object) === 'config.porch.kpt.dev/PackageVariant')
    .map((object) => {
      const revision = object.get(['spec', 'upstream', 'revision'])
      return {
        object,
        upstream: addressAt(object, 'upstream'),
        revision: typeof revision === 'string' ? revision : typeof revision === 'number' ? revision : undefined,
        workspaceName: textAt(object, 'spec', 'upstream', 'workspaceName'),
        downstream: addressAt(object, 'downstream'),
        root: outermostPackage(object, packages),
      }
    })
}

function outermostPackage({ file, packagePath }: KrmObject, packages: ReadonlySet<string>): string {
  let root = ''
  for (let folder = folderOf(locate(file?.path ?? '', packagePath)); folder !== ''; folder = folderOf(folder))
    if (packages.has(folder)) root = folder
  return packages.has('') ? '' : root
}

/** Returns true if `render` makes the packages instead of Porch: the objects contain a RenderVariants. */
export function isRendered(objects: readonly KrmObject[]): boolean {
  return objects.some(({ apiVersion, kind }) => apiVersion === OWN_API && kind === 'RenderVariants')
}

function addressAt(object: KrmObject, side: 'upstream' | 'downstream'): PackageAddress {
  return {
    namespace: namespaceOf(object),
    repository: textAt(object, 'spec', side, 'repo'),
    package: textAt(object, 'spec', side, 'package'),
  }
}

export function readPorchRevisions(objects: readonly KrmObject[]): PorchRevision[] {
  return objects
    .filter((object) => groupKind(object) === 'porch.kpt.dev/PackageRevision')
    .map((object) => ({
      object,
      namespace: namespaceOf(object),
      repository: textAt(object, 'spec', 'repository'),
      package: textAt(object, 'spec', 'packageName'),
      revision: porchRevisionNumber(writtenRevision(object)),
      workspaceName: textAt(object, 'spec', 'workspaceName'),
      lifecycle: textAt(object, 'spec', 'lifecycle'),
    }))
}

/** Returns a revision as a number; -1 for a value that is no revision (Porch pkg/repository, Revision2Int). */
export function porchRevisionNumber(revision: unknown): number {
  return typeof revision === 'number' || typeof revision === 'string' ? (readNumber(revision) ?? -1) : -1
}

/** Returns the functions with a tag in the pipelines of all Kptfiles. */
export function readTaggedFunctions(objects: readonly KrmObject[]): TaggedFunction[] {
  const kptfiles = objects.filter(({ apiVersion, kind }) => kind === 'Kptfile' && apiVersion?.startsWith('kpt.dev/') === true)
  return kptfiles.flatMap((object) => {
    const pipeline = fieldAt(object, ['pipeline'])
    const items = ['mutators', 'validators'].flatMap((stage) => itemFields(childField(pipeline, stage)))
    const functions = items.map((item) => ({
      image: childText(item, 'image'),
      tag: childText(item, 'tag'),
      tagField: childField(item, 'tag'),
    }))
    return functions.filter(({ image, tag }) => image !== '' && tag !== '')
  })
}
