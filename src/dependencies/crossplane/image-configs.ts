import { compareText } from '../../field-path.ts'
import { firstOfEach } from '../../group-by.ts'
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
  /** The field `spec.runtime.configRef.name`: the DeploymentRuntimeConfig of packages with one of the prefixes. */
  readonly runtimeConfig: ObjectField
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
    runtimeConfig: fieldAt(object, ['spec', 'runtime', 'configRef', 'name']),
    concernsPulls: secret !== '' || object.get(['spec', 'verification']) !== undefined,
  }
}

/** The path that an image is pulled from, and the ImageConfig that says so. */
export interface RewrittenImage {
  readonly image: string
  readonly config: ImageConfig
}

/** The ImageConfigs that apply to images. */
export interface ImageRewrites {
  /** Returns the path that an image or a source is pulled from; undefined where nothing is rewritten. */
  rewrite(image: string): RewrittenImage | undefined
  /** Returns the name of the DeploymentRuntimeConfig that an ImageConfig gives to an image, by the path that it is pulled from. */
  runtimeConfigOf(image: string): ObjectField | undefined
}

/**
 * Returns the rewrites of some ImageConfigs (crossplane-runtime pkg/xpkg/config.go, RewritePath). The replaced text is not rewritten once
 * more. The original source stays the identity of a package: in `spec.package`, in the Lock, and in dependencies.
 *
 * @example
 * matchImages `xpkg.crossplane.io`, rewriteImage `registry1.com`:
 * `xpkg.crossplane.io/acme/nop:v1.0.0` → `registry1.com/acme/nop:v1.0.0`
 */
export function imageRewrites(configs: readonly ImageConfig[]): ImageRewrites {
  const rewriting = longestPrefix(configs.filter(({ rewrite }) => rewrite !== undefined && textOfField(rewrite)))
  const running = longestPrefix(configs.filter(({ runtimeConfig }) => textOfField(runtimeConfig)))
  const rewrite = (image: string): RewrittenImage | undefined => {
    const { config, prefix } = rewriting(image) ?? {}
    const to = config?.rewrite && textOfField(config.rewrite)
    return config && { image: `${to}${image.slice(prefix?.length)}`, config }
  }
  return { rewrite, runtimeConfigOf: (image) => running(rewrite(image)?.image ?? image)?.config.runtimeConfig }
}

/**
 * Returns a function that finds the ImageConfig with the longest prefix of an image, and the prefix. Of two with the same prefix it takes
 * the first, where Crossplane takes either.
 */
function longestPrefix(configs: readonly ImageConfig[]) {
  const prefixes = configs.flatMap((config) => config.prefixes.map((field) => ({ config, prefix: textOfField(field) ?? '' })))
  const byPrefix = firstOfEach(prefixes, ({ prefix }) => prefix)
  const longestFirst = [...new Set([...byPrefix.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  return (image: string) => {
    const length = longestFirst.find((each) => each <= image.length && byPrefix.has(image.slice(0, each)))
    return length === undefined ? undefined : byPrefix.get(image.slice(0, length))
  }
}
