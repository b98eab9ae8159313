import { DELETION_LIMIT_TEXT, readDeletionLimit } from '../../src/fleet/deletion-limit.ts'
import { UPDATE_STRATEGIES } from '../../src/kinds/kptfile-upstream.ts'
import type { RenderOptions, RepositoryOptions } from '../../src/render/options.ts'
import { CLONE_FLAVOURS } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { check } from '../../src/schema/generated/render-variants.js'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { repositoryFaults } from './repository-faults.ts'
import { RENDER_VARIANTS_SCHEMA, type RenderVariantsFields } from './schema.ts'

const OPTIONS: TextOptions<Omit<RenderVariantsFields, 'repositories'>> = {
  clone: oneOf(...CLONE_FLAVOURS),
  updateStrategy: oneOf(...UPDATE_STRATEGIES),
  out: { allowed: 'a folder', read: (text) => text },
  followRenames: TRUE_OR_FALSE,
  discardEdits: TRUE_OR_FALSE,
  allowMoved: TRUE_OR_FALSE,
  fleet: { allowed: 'the name of the fleet', read: (text) => text },
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: DELETION_LIMIT_TEXT,
  status: TRUE_OR_FALSE,
}

/** The decoded functionConfig. */
export interface Configured {
  readonly options: RenderOptions
  /** The variant to render; undefined to render all. */
  readonly only?: KrmObject
}

const OPTIONS_OF: Readonly<Record<string, (config: KrmObject) => RenderVariantsFields>> = {
  RenderVariants: (config) => decode(config, { schema: RENDER_VARIANTS_SCHEMA, check }).value.spec ?? {},
  ConfigMap: decodeOptionsMap,
  PackageVariant: () => ({}),
}

/**
 * Returns the options in a functionConfig: a RenderVariants, a ConfigMap of texts, or none. A PackageVariant has no options: the
 * functionConfig is then the variant to render.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
export function decodeRenderVariantsConfig(config: KrmObject | undefined): Configured {
  if (config === undefined) return { options: toOptions({}) }
  const options = toOptions(readerFor(config, OPTIONS_OF, 'render-variants')(config))
  const faults = repositoryFaults(config, options)
  if (faults.length > 0) throw new FunctionError(faults)
  return config.kind === 'PackageVariant' ? { options, only: config } : { options }
}

function toOptions(fields: RenderVariantsFields): RenderOptions {
  const {
    repositories = {},
    clone = 'kpt',
    updateStrategy,
    out,
    followRenames = false,
    discardEdits = false,
    allowMoved = false,
    fleet,
    allowEmpty = false,
    maxDeletions,
    status = false,
  } = fields
  return {
    repositories: new Map(Object.entries(repositories).map(([name, repository]) => [name, toRepository(repository)])),
    clone,
    followRenames,
    discardEdits,
    allowMoved,
    allowEmpty,
    status,
    ...(updateStrategy !== undefined && { updateStrategy }),
    ...(out !== undefined && { out }),
    ...(fleet !== undefined && { fleet }),
    ...(maxDeletions !== undefined && { maxDeletions: readDeletionLimit(maxDeletions) }),
  }
}

function toRepository({
  path,
  git,
  trusted = false,
  revisions = {},
  tags = {},
}: NonNullable<RenderVariantsFields['repositories']>[string]): RepositoryOptions {
  return {
    ...(path !== undefined && { path }),
    ...(git !== undefined && { git }),
    trusted,
    revisions: new Map(Object.entries(revisions)),
    tags: new Map(Object.entries(tags).map(([tag, revision]) => [tag, String(revision)])),
  }
}

/**
 * Returns the options in a ConfigMap, which cannot describe repositories.
 *
 * @throws FunctionError with every fault of the ConfigMap
 */
function decodeOptionsMap(config: KrmObject): RenderVariantsFields {
  return readTextOptions(config, 'render-variants', OPTIONS)
}
