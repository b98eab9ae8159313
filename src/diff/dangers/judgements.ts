import { equalJson, isRecord, type JsonRecord, lookup, memberOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import { type DangerRule, type JudgedChange, without } from './danger-rule.ts'
import { containersOf, hasGroupKind, podTemplatesOf } from './pod-spec.ts'
import { compareQuantities } from './quantity.ts'

const RULES: readonly DangerRule[] = [
  {
    id: 'probe-removed',
    nouns: ['probe removed', 'probes removed'],
    text: 'a probe is gone: Kubernetes no longer sees that the container hangs, or is not ready',
    find: (change) => lostOfContainers(change, ['livenessProbe', 'readinessProbe', 'startupProbe']),
  },
  {
    id: 'limit-removed',
    nouns: ['limit removed', 'limits removed'],
    text: 'a limit is gone: the container may take what the node has',
    find: ({ before, after }) => {
      const old = limitsOf(before)
      const names = new Set(containersOf(after).map(({ path }) => path))
      return without(limitsOf(after), old).filter((path) => [...names].some((name) => path.startsWith(`${name}.`)))
    },
  },
  {
    id: 'digest-replaced',
    nouns: ['digest replaced by a tag', 'digests replaced by tags'],
    text: 'the image is no longer named by its digest: its tag may be moved to another image',
    find: (change) => imagesOf(change).flatMap(({ path, was, is }) => (was.digest !== '' && is.digest === '' ? [path] : [])),
  },
  {
    id: 'other-major-version',
    nouns: ['other major version of an image', 'other major versions of images'],
    text: 'the image has another major version',
    find: (change) =>
      imagesOf(change).flatMap(({ path, was, is }) => {
        const [old, present] = [majorOf(was.tag), majorOf(is.tag)]
        return was.name === is.name && old !== undefined && present !== undefined && old !== present ? [path] : []
      }),
  },
  {
    id: 'recreate-strategy',
    nouns: ['Deployment that stops before it starts anew', 'Deployments that stop before they start anew'],
    text: 'an update stops all pods before it starts new ones',
    find: ({ before, after }) => {
      const isRecreated = (object: JsonRecord | undefined) =>
        hasGroupKind(object, 'apps', 'Deployment') && valueAt(object, ['spec', 'strategy', 'type']) === 'Recreate'
      return before !== undefined && isRecreated(after) && !isRecreated(before) ? ['spec.strategy.type'] : []
    },
  },
  {
    id: 'smaller-quota',
    nouns: ['smaller quota', 'smaller quotas'],
    text: 'the quota is smaller: what runs stays, what is made anew may be refused',
    find: ({ before, after }) => {
      if (![before, after].every((each) => hasGroupKind(each, '', 'ResourceQuota'))) return []
      const [old, present] = [before, after].map((each) => valueAt(each, ['spec', 'hard']))
      if (!isRecord(present)) return []
      return Object.entries(present).flatMap(([name, value]) => {
        const was = memberOf(old, name)
        return was === undefined || compareQuantities(scalarText(value), scalarText(was)) < 0 ? [`spec.hard${memberPath(name)}`] : []
      })
    },
  },
  {
    id: 'other-nodes',
    nouns: ['workload that runs on other nodes', 'workloads that run on other nodes'],
    text: 'the pods run on other nodes: they wait if no node has the labels',
    find: ({ before, after }) => {
      const old = new Map(podTemplatesOf(before).map(({ path, value }) => [path, value]))
      return podTemplatesOf(after).flatMap(({ path, value }) => {
        const [was, is] = [old.get(path), value].map((pod) => lookup(pod ?? {}, 'nodeSelector'))
        return old.has(path) && !equalJson(was ?? {}, is ?? {}) ? [`${path}.nodeSelector`] : []
      })
    },
  },
  {
    id: 'source-address-lost',
    nouns: ['Service that hides the addresses of its clients', 'Services that hide the addresses of their clients'],
    text: 'the pods see the address of a node in place of that of the client',
    find: ({ before, after }) => {
      if (![before, after].every((each) => hasGroupKind(each, '', 'Service'))) return []
      const [was, is] = [before, after].map((service) => valueAt(service, ['spec', 'externalTrafficPolicy']))
      const isOpen = /^(?:LoadBalancer|NodePort)$/.test(scalarText(valueAt(after, ['spec', 'type'])))
      return was === 'Local' && is !== 'Local' && isOpen ? ['spec.externalTrafficPolicy'] : []
    },
  },
]

/** Changes that a reviewer should judge. They may be right, so they are notices and no dangers. */
export const JUDGEMENTS: readonly DangerRule[] = RULES.map((rule) => ({ ...rule, severity: 'notice' }))

function memberPath(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? `.${name}` : `["${name}"]`
}

/** Returns the paths of fields that a container had, and does not have any more. A container that is gone has none. */
function lostOfContainers({ before, after }: JudgedChange, fields: readonly string[]): readonly string[] {
  const present = new Map(containersOf(after).map(({ path, value }) => [path, value]))
  return containersOf(before).flatMap(({ path, value }) => {
    const now = present.get(path)
    if (now === undefined) return []
    return fields.filter((field) => isRecord(lookup(value, field)) && !isRecord(lookup(now, field))).map((field) => `${path}.${field}`)
  })
}

function limitsOf(object: JsonRecord | undefined): readonly string[] {
  return containersOf(object).flatMap(({ path, value }) => {
    const limits = memberOf(lookup(value, 'resources'), 'limits')
    return isRecord(limits) ? Object.keys(limits).map((name) => `${path}.resources.limits${memberPath(name)}`) : []
  })
}

/** The parts of an image: `registry:5000/team/app:v1@sha256:…` is named `registry:5000/team/app`. */
interface ImageParts {
  readonly name: string
  readonly tag: string
  readonly digest: string
}

export function imageParts(image: string): ImageParts {
  const [reference = '', digest = ''] = image.split('@')
  const slash = reference.lastIndexOf('/')
  const colon = reference.indexOf(':', slash + 1)
  return colon === -1 ? { name: reference, tag: '', digest } : { name: reference.slice(0, colon), tag: reference.slice(colon + 1), digest }
}

function imagesOf({
  before,
  after,
}: JudgedChange): readonly { readonly path: string; readonly was: ImageParts; readonly is: ImageParts }[] {
  const old = new Map(containersOf(before).map(({ path, value }) => [path, scalarText(lookup(value, 'image'))]))
  return containersOf(after).flatMap(({ path, value }) => {
    const was = old.get(path) ?? ''
    const is = scalarText(lookup(value, 'image'))
    return was === '' || is === '' || was === is ? [] : [{ path: `${path}.image`, was: imageParts(was), is: imageParts(is) }]
  })
}

/** Returns the major version of a tag such as `1.27-alpine`, `v2.3.1` or `16`; undefined for dates, digests and words. */
function majorOf(tag: string): string | undefined {
  const [, major] = /^v?(\d{1,3})(?:\.\d+){0,3}(?:[-+].*)?$/.exec(tag) ?? []
  return major
}
