import { listedTexts, lookup, memberOf, scalarText } from '../json.ts'
import { imageFault, printImage, resolveImage } from '../pipeline/image.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { DIALECTS } from '../versions/dialects.ts'
import type { WrittenFunction } from './pipeline-functions.ts'
import type { KptFacts, PorchFacts, SystemFault } from './system-differences.ts'

/** The replacement for a field that a system does not know. */
const INSTEAD: Readonly<Record<string, string>> = {
  tag: 'write the tag into `image`',
  when: 'let the function itself look at its input',
  configRef: 'write the config into a file of the package and name the file in `configPath`',
}

/** Returns an error for each field of a function that a version of kpt does not know: it refuses the whole Kptfile. */
export function unknownFields({ object, path, fields }: WrittenFunction, kpt: KptFacts, rule: RuleId): readonly SystemFault[] {
  const faultsOf = (names: readonly string[], severity: 'error' | 'warning', must: string): readonly SystemFault[] =>
    names
      .filter((field) => Object.hasOwn(fields, field))
      .map((field) => ({ object, severity, rule, path: [...path, field], message: `${must}; ${INSTEAD[field]}`, atKey: true }))
  return [
    ...faultsOf(kpt.unknownFields, 'error', `must not be set for ${kpt.name}, which refuses the Kptfile`),
    ...faultsOf(
      kpt.unprovenFields ?? [],
      'warning',
      `may be unknown to ${kpt.name}, which then refuses the Kptfile: no release notes name it`,
    ),
  ]
}

/** Returns a warning for a name without a slash that a version of kpt looks for at another registry. */
export function shortImages({ object, path, fields }: WrittenFunction, kpt: KptFacts, prefix: string): readonly SystemFault[] {
  const image = scalarText(lookup(fields, 'image'))
  if (image.includes('/') || kpt.imagePrefix === prefix || imageFault(image) !== undefined) return []
  const message = `must name a registry: for ${kpt.name} it is '${kpt.imagePrefix}/${image}', here '${prefix}/${image}'`
  return [{ object, severity: 'warning', rule: 'other-image', path: [...path, 'image'], message }]
}

/**
 * Returns where Porch runs the image of a function, if that is known, and a warning for an image without a tag: Porch adds `latest`, and
 * its function runner keeps the image of a tag that it once fetched.
 */
export function imagesOfPorch(fn: WrittenFunction, facts: PorchFacts, configs: readonly KrmObject[]): readonly SystemFault[] {
  const { object, fields } = fn
  const [written, tag] = ['image', 'tag'].map((field) => scalarText(lookup(fields, field)))
  if (written === undefined || written === '' || imageFault(written) !== undefined) return []
  const image = resolveImage(written, tag ?? '', facts.kpt.imagePrefix)
  const path = [...fn.path, 'image']
  if (image.tag === 'latest') {
    const message = `must have a version: for ${facts.name} it is ${quoteText(printImage(image))}, and its function runner keeps the image of a tag that it once fetched`
    return [{ object, severity: 'warning', rule: 'porch-image-latest', path, message }]
  }
  const executor = executorOf(image.repository, image.tag, facts, configs)
  if (executor === undefined) return []
  return [
    {
      object,
      severity: 'info',
      rule: 'porch-image',
      path,
      message: `is ${quoteText(printImage(image))}, which ${facts.name} runs in ${executor}`,
    },
  ]
}

/** Returns the words for the program that runs an image; undefined where no fact is known. */
function executorOf(repository: string, tag: string, facts: PorchFacts, configs: readonly KrmObject[]): string | undefined {
  const [, folder = '', name = repository] = /^(?:(.*)\/)?([^/]*)$/.exec(repository) ?? []
  if (facts.hasFunctionConfigs && configs.length > 0) return executorOfConfigs(folder, name, tag, configs)
  const versions = facts.inProcess?.[name]
  if (facts.inProcess === undefined) return undefined
  if (versions === undefined || folder !== facts.kpt.imagePrefix) return 'the function runner'
  return versions.includes(tag) ? 'its own process' : `the function runner, since its own process has only ${quoteNames(versions)}`
}

const EXECUTORS = [
  ['goExecutor', 'its own process'],
  ['binaryExecutor', 'the container of the function runner'],
] as const

/** Returns where the FunctionConfigs of the fleet run an image: Go code and programs have listed tags, all else runs in a pod. */
function executorOfConfigs(folder: string, name: string, tag: string, configs: readonly KrmObject[]): string {
  const own = configs.filter((config) => config.get(['spec', 'image']) === name && textsAt(config, 'prefixes').includes(folder))
  for (const config of own) {
    const found = EXECUTORS.find(([field]) =>
      listedTexts(memberOf(config.get(['spec', field]), 'tags')).some((allowed) => admits(allowed, tag)),
    )
    if (found !== undefined) return `${found[1]}, as FunctionConfig ${quoteText(config.name ?? '')} says`
  }
  return 'a pod of the function runner'
}

function textsAt(config: KrmObject, field: string): readonly string[] {
  return listedTexts(config.get(['spec', field]))
}

/** Returns true if an entry of `tags`, a tag or a semver constraint, admits a tag. */
function admits(allowed: string, tag: string): boolean {
  if (allowed === tag) return true
  const [constraint, version] = [DIALECTS.kpt.parseConstraint(allowed), DIALECTS.kpt.parseVersion(tag)]
  return constraint.ok && version.ok && constraint.value.check(version.value) === true
}
