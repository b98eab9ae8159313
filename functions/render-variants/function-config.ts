import type { FieldPath } from '../../src/field-path.ts'
import { DELETION_LIMIT_TEXT, readDeletionLimit } from '../../src/fleet/deletion-guard.ts'
import { OutsideError, placeInside } from '../../src/folder/inside-folder.ts'
import { pathFault } from '../../src/folder/safe-path.ts'
import { addressFault, isRefName, printAddress, REF_RULE } from '../../src/git/git-address.ts'
import { UPDATE_STRATEGIES } from '../../src/kinds/kptfile-upstream.ts'
import { splitWords } from '../../src/pipeline/exec-words.ts'
import { imageFault } from '../../src/pipeline/image.ts'
import { type FunctionOptions, NOTHING_CONFIGURED, PIPELINE_MODES, type RenderOptions } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { bareFolder } from '../../src/upstream/origin.ts'
import { CLONE_FLAVOURS, type RepositoryOptions, type RevisionOptions } from '../../src/upstream/repository-options.ts'
import { BUILTIN_VERSIONS, RENDER_VARIANTS_SCHEMA, type RenderVariantsFields } from './schema.ts'

const OPTIONS: TextOptions<Omit<RenderVariantsFields, 'repositories' | 'functions' | 'diff'>> = {
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
  pipeline: oneOf(...PIPELINE_MODES),
  builtin: oneOf(...BUILTIN_VERSIONS),
  containers: TRUE_OR_FALSE,
}

/** The decoded functionConfig. */
export interface Configured {
  readonly options: RenderOptions
  readonly functions: FunctionOptions
  /** The variant to render; undefined to render all. */
  readonly only?: KrmObject
}

/** Words of other tools for the fields of a RenderVariants. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  url: ['repo', 'git'],
  repository: ['repo', 'git'],
  folder: ['path', 'directory'],
  dir: ['path', 'directory'],
  path: ['directory'],
  subdir: ['directory'],
  strategy: ['updateStrategy'],
  output: ['out'],
  outDir: ['out'],
  branch: ['ref'],
  tag: ['ref'],
  sha: ['commit'],
}

const OPTIONS_OF: Readonly<Record<string, (config: KrmObject) => RenderVariantsFields>> = {
  RenderVariants: (config) => decode(config, { schema: RENDER_VARIANTS_SCHEMA, formerNames: OTHER_WORDS }).value.spec ?? {},
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
  if (config === undefined) return { options: toOptions({}), functions: NOTHING_CONFIGURED }
  const fields = readerFor(config, OPTIONS_OF, 'render-variants')(config)
  const options = { ...toOptions(fields), config }
  const faults = [...repositoryFaults(config, options), ...programFaults(config, fields)]
  if (faults.length > 0) throw new FunctionError(faults)
  const functions = toFunctionOptions(fields)
  return config.kind === 'PackageVariant' ? { options, functions, only: config } : { options, functions }
}

function toFunctionOptions({ pipeline, builtin, functions = {}, containers = false }: RenderVariantsFields): FunctionOptions {
  return {
    programs: new Map(Object.entries(functions).map(([image, program]) => [image, splitWords(program) ?? []])),
    anyVersion: builtin === 'any-version',
    containers,
    ...(pipeline !== undefined && { mode: pipeline }),
  }
}

/** Returns an error for each program of `functions` that cannot be split into words, and each key that is no image. */
function programFaults(config: KrmObject, { functions = {} }: RenderVariantsFields): readonly Result[] {
  return Object.entries(functions).flatMap(([image, program]) => {
    const fault = (rule: RuleId, message: string): Result =>
      faultToResult(config, { severity: 'error', rule, path: ['spec', 'functions', image], message })
    const isProgram = (splitWords(program) ?? []).length > 0
    return [
      ...(imageFault(image) === undefined
        ? []
        : [fault('function-image', `must be named by an image such as gcr.io/kpt-fn/starlark, got ${quoteText(image)}`)]),
      ...(isProgram
        ? []
        : [fault('exec-unreadable', `must be a program and its arguments, with every quote closed, got ${quoteText(program)}`)]),
    ]
  })
}

/**
 * Returns an error for each program of `functions` if the caller did not allow programs: a package of others may bring the
 * functionConfig, and must start nothing on the caller's machine.
 */
export function programConsentFaults(config: KrmObject, { programs }: Pick<FunctionOptions, 'programs'>): readonly Result[] {
  return [...programs.keys()].map((image) => {
    const message = 'must be allowed with --allow-exec: it is a program of this machine'
    return faultToResult(config, { severity: 'error', rule: 'exec-not-allowed', path: ['spec', 'functions', image], message })
  })
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

/** Returns an error for each address and folder of a repository, and each name of a revision, that git must not be given. */
function repositoryFaults(config: KrmObject, { repositories }: Pick<RenderOptions, 'repositories'>): readonly Result[] {
  const fault = (rule: RuleId, path: FieldPath, message: string): Result =>
    faultToResult(config, { severity: 'error', rule, path: ['spec', 'repositories', ...path], message })
  return [...repositories].flatMap(([name, { git, revisions, tags }]) => {
    const address = git === undefined ? undefined : addressFault(git.repo)
    const { directory = '' } = git ?? {}
    const place = bareFolder(directory) === '' ? undefined : pathFault(bareFolder(directory))
    const names = [
      ...[...revisions].flatMap(([revision, options]) =>
        NAMES.flatMap((field) => ({ path: [name, 'revisions', revision, field], value: options[field] ?? 'v1' })),
      ),
      ...[...tags].map(([tag, value]) => ({ path: [name, 'tags', tag], value })),
    ]
    return [
      ...(place === undefined ? [] : [fault('package-path', [name, 'git', 'directory'], `${place}, got ${quoteText(directory)}`)]),
      ...(address === undefined ? [] : [withoutSecret(fault('repository-address', [name, 'git', 'repo'], address))]),
      ...names
        .filter(({ value }) => !isRefName(value))
        .map(({ path, value }) =>
          fault('revision-name', path, `must be a name that git allows for a ref, ${REF_RULE}, got ${quoteText(value)}`),
        ),
    ]
  })
}

/** Returns a result without the password of an address: a result repeats the value of its field. */
function withoutSecret({ field, ...result }: Result): Result {
  const value = field?.currentValue
  return { ...result, ...(field && { field: { ...field, ...(typeof value === 'string' && { currentValue: printAddress(value) }) } }) }
}

const NAMES = ['ref', 'resolvedRef', 'commit'] as const satisfies readonly (keyof RevisionOptions)[]

/** Returns an error for each folder of the options that is outside of the fleet, which the options are a part of. @param dir  the fleet */
export function outsideFaults(config: KrmObject, { repositories, out }: RenderOptions, dir: string): readonly Result[] {
  const folders = [...repositories].flatMap(([name, { path, revisions }]) => [
    { field: ['spec', 'repositories', name, 'path'], folder: path === undefined ? undefined : bareFolder(path) },
    ...[...revisions].map(([revision, options]) => ({
      field: ['spec', 'repositories', name, 'revisions', revision, 'path'],
      folder: options.path,
    })),
  ])
  const fields = [...folders, { field: [config.kind === 'ConfigMap' ? 'data' : 'spec', 'out'], folder: out }]
  return fields.flatMap(({ field, folder }) => {
    const place = folder === undefined ? undefined : outsideReason(dir, folder)
    if (place === undefined) return []
    const message = `must be a folder of the fleet, ${place}; --allow-outside allows it`
    return [faultToResult(config, { severity: 'error', rule: 'outside-fleet', path: field, message })]
  })
}

function outsideReason(dir: string, path: string): string | undefined {
  try {
    placeInside(dir, path)
    return undefined
  } catch (error) {
    if (error instanceof OutsideError) return error.message
    throw error
  }
}
