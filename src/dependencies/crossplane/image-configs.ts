import { compareText } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childField, childText, fieldAt, itemFields, type ObjectField, textAt, textOfField } from '../reading/field.ts'
import { groupKind } from '../reading/object-metadata.ts'

/** An ImageConfig of Crossplane: images with one of its prefixes are pulled from elsewhere, with a secret, or verified. */
export interface ImageConfig {
  readonly object: KrmObject
  readonly name: string
  /** The fields `spec.matchImages[].prefix`. */
  readonly prefixes: readonly ObjectField[]
  /** The field `spec.rewriteImage.prefix`; undefined in an ImageConfig that rewrites nothing. */
  readonly rewrite: ObjectField | undefined
  /** True if the ImageConfig names a pull secret or verifies signatures, for the paths that images are pulled from. */
  readonly concernsPulls: boolean
}

/** Returns the ImageConfigs, ordered by name. */
export function readImageConfigs(objects: readonly KrmObject[]): readonly ImageConfig[] {
  const found = objects.filter((object) => groupKind(object) === 'pkg.crossplane.io/ImageConfig')
  return found.sort((a, b) => compareText(a.name ?? '', b.name ?? '')).map(readImageConfig)
}

function readImageConfig(object: KrmObject): ImageConfig {
  const rewrite = fieldAt(object, ['spec', 'rewriteImage'])
  const secret = textAt(object, 'spec', 'registry', 'authentication', 'pullSecretRef', 'name')
  return {
    object,
    name: object.name ?? '',
    prefixes: itemFields(fieldAt(object, ['spec', 'matchImages']))
      .filter((item) => childText(item, 'prefix') !== '')
      .map((item) => childField(item, 'prefix')),
    rewrite: rewrite.value === undefined ? undefined : childField(rewrite, 'prefix'),
    concernsPulls: secret !== '' || object.get(['spec', 'verification']) !== undefined,
  }
}

/** The path that an image is pulled from, and the ImageConfig that says so. */
export interface RewrittenImage {
  readonly image: string
  readonly config: ImageConfig
}

/** Rewrites the paths of images as Crossplane does before a pull. */
export interface ImageRewrites {
  /** Returns the path that an image or a source is pulled from; undefined where nothing is rewritten. */
  rewrite(image: string): RewrittenImage | undefined
}

/**
 * Returns the rewrites of some ImageConfigs (crossplane-runtime pkg/xpkg/config.go, RewritePath). The longest prefix of an image counts, of
 * two equal ones the first by name, where Crossplane takes either. The replaced text is not rewritten once more. The original source stays
 * the identity of a package: in `spec.package`, in the Lock, and in dependencies.
 *
 * @example
 * matchImages `xpkg.crossplane.io`, rewriteImage `registry1.com`:
 * `xpkg.crossplane.io/acme/nop:v1.0.0` → `registry1.com/acme/nop:v1.0.0`
 */
export function imageRewrites(configs: readonly ImageConfig[]): ImageRewrites {
  const rules = new Map<string, { readonly to: string; readonly config: ImageConfig }>()
  for (const config of configs) {
    const to = config.rewrite === undefined ? '' : (textOfField(config.rewrite) ?? '')
    for (const field of to === '' ? [] : config.prefixes) {
      const from = textOfField(field) ?? ''
      if (!rules.has(from)) rules.set(from, { to, config })
    }
  }
  const longestFirst = [...new Set([...rules.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  return {
    rewrite: (image) => {
      const length = longestFirst.find((each) => each <= image.length && rules.has(image.slice(0, each)))
      const rule = length === undefined ? undefined : rules.get(image.slice(0, length))
      return rule && { image: `${rule.to}${image.slice(length)}`, config: rule.config }
    },
  }
}

/** Rewrites nothing, as in seed 003, which has no ImageConfigs. */
export const NO_REWRITES: ImageRewrites = { rewrite: () => undefined }
