import { isRecord, type JsonRecord, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import { type DangerRule, without } from './danger-rule.ts'
import { groupKindOf } from './pod-spec.ts'
import { isNarrower } from './selectors.ts'

type Guard = JsonRecord | undefined

export const GATEWAY = 'gateway.networking.k8s.io Gateway'

/** Returns the paths by which a Gateway keeps out less: a listener without TLS, without the check of clients, or open to all namespaces. */
export function openedGateway(before: Guard, after: Guard): readonly string[] {
  const [old, present] = [listenersOf(before), listenersOf(after)]
  const names = new Set(present.map(nameOfListener))
  const gone = old.filter((listener) => !names.has(nameOfListener(listener)))
  const opened = present.flatMap((listener) => {
    const name = nameOfListener(listener)
    const was =
      old.find((each) => nameOfListener(each) === name) ?? gone.find((each) => addressOfListener(each) === addressOfListener(listener))
    if (was === undefined) return []
    const isLost = (holds: (each: JsonRecord) => boolean) => holds(was) && !holds(listener)
    return [
      ...(isLost((each) => /^(?:HTTPS|TLS)$/.test(scalarText(lookup(each, 'protocol')))) ? ['protocol'] : []),
      ...(isLost((each) => valueAt(each, ['tls', 'frontendValidation']) !== undefined) ? ['tls.frontendValidation'] : []),
      ...(isLost((each) => !isOpen(each)) ? ['allowedRoutes.namespaces.from'] : []),
    ].map((field) => `spec.listeners[${name}].${field}`)
  })
  return [...opened, ...uncheckedPorts(before, after)]
}

/**
 * Returns the paths by which a BackendTLSPolicy leaves Services, or ports of Services, without TLS. It is about Services of its namespace.
 */
export function uncheckedBackends(before: Guard, after: Guard): readonly string[] {
  const [namespace, later] = [before, after].map((policy) => scalarText(valueAt(policy, ['metadata', 'namespace'])))
  if (namespace !== later) return ['metadata.namespace']
  const targetsOf = (policy: Guard) =>
    recordsOf(valueAt(policy, ['spec', 'targetRefs'])).map((ref) => {
      const [service, port = ''] = [['group', 'kind', 'name'], ['sectionName']].map((keys) =>
        keys.map((key) => scalarText(lookup(ref, key))).join('/'),
      )
      return { service, port }
    })
  const present = targetsOf(after)
  const isKept = ({ service, port }: (typeof present)[number]) =>
    present.some((each) => each.service === service && ['', port].includes(each.port))
  return targetsOf(before).every(isKept) ? [] : ['spec.targetRefs']
}

function nameOfListener(listener: JsonRecord): string {
  return scalarText(lookup(listener, 'name'))
}

function addressOfListener(listener: JsonRecord): string {
  return `${scalarText(lookup(listener, 'hostname'))}:${scalarText(lookup(listener, 'port'))}`
}

/** Returns true for a listener that takes the routes of all namespaces. A selector without a requirement selects all. */
function isOpen(listener: JsonRecord): boolean {
  const namespaces = valueAt(listener, ['allowedRoutes', 'namespaces'])
  const [from, selector] = [memberOf(namespaces, 'from'), memberOf(namespaces, 'selector')]
  return from === 'All' || (from === 'Selector' && isRecord(selector) && !isNarrower(selector, undefined))
}

/** Returns the paths by which the certificates of clients are no longer checked: on all ports, or on one that has settings of its own. */
function uncheckedPorts(before: Guard, after: Guard): readonly string[] {
  const portsOf = (list: readonly JsonRecord[]) => list.map((each) => scalarText(lookup(each, 'port')))
  const entriesOf = (gateway: Guard) => recordsOf(valueAt(gateway, ['spec', 'tls', 'frontend', 'perPort']))
  const checksAll = (gateway: Guard) => valueAt(gateway, ['spec', 'tls', 'frontend', 'default', 'validation']) !== undefined
  const checks = (gateway: Guard, port: string) => {
    const own = entriesOf(gateway).find((each) => scalarText(lookup(each, 'port')) === port)
    return own === undefined ? checksAll(gateway) : valueAt(own, ['tls', 'validation']) !== undefined
  }
  const closed = without(portsOf(listenersOf(after)), portsOf(listenersOf(before)))
  const present = portsOf(entriesOf(after))
  const ports = without(closed, [...new Set([...portsOf(entriesOf(before)), ...present])])
  const lost = ports.filter((port) => checks(before, port) && !checks(after, port)).map((port) => present.indexOf(port))
  return [
    ...(checksAll(before) && !checksAll(after) ? ['spec.tls.frontend.default.validation'] : []),
    ...new Set(lost.map((i) => (i === -1 ? 'spec.tls.frontend.perPort' : `spec.tls.frontend.perPort[${i}].tls.validation`))),
  ]
}

function listenersOf(gateway: Guard): readonly JsonRecord[] {
  return recordsOf(valueAt(gateway, ['spec', 'listeners']))
}

/** Returns the hosts and ports that an Ingress, a Gateway or a route answers, '' for every host, and the path of the field that says so. */
const HOSTS: Readonly<Record<string, readonly [path: string, hosts: (object: Guard) => readonly string[]]>> = {
  'networking.k8s.io Ingress': [
    'spec.rules',
    (object) => recordsOf(valueAt(object, ['spec', 'rules'])).map((rule) => scalarText(lookup(rule, 'host'))),
  ],
  [GATEWAY]: ['spec.listeners', (object) => listenersOf(object).map(addressOfListener)],
  ...Object.fromEntries(
    ['HTTPRoute', 'GRPCRoute', 'TLSRoute'].map((kind) => [
      `gateway.networking.k8s.io ${kind}`,
      [
        'spec.hostnames',
        (object: Guard) => {
          const hosts = listedTexts(valueAt(object, ['spec', 'hostnames']))
          return hosts.length === 0 ? [''] : hosts
        },
      ] as const,
    ]),
  ),
}

/** Hosts that an Ingress, a Gateway or a route no longer answers, or all hosts, which it did not name. */
export const OTHER_HOSTS: DangerRule = {
  id: 'other-hosts',
  severity: 'notice',
  nouns: ['Ingress, Gateway or route of other hosts', 'Ingresses, Gateways or routes of other hosts'],
  text: 'a host or port is no longer answered, or every host is',
  find: ({ op, before, after }) => {
    const [path, hosts] = HOSTS[groupKindOf(after)] ?? []
    if (op !== 'change' || path === undefined || hosts === undefined) return []
    const [old, present] = [hosts(before), hosts(after)]
    const gone = old.filter((host) => !present.some((each) => answers(each, host)))
    const wide = without(old, present).filter((host) => isWild(host) && !old.some((each) => answers(each, host)))
    return gone.length > 0 || wide.length > 0 ? [path] : []
  },
}

function isWild(host: string): boolean {
  return host === '' || host.startsWith(':') || host.startsWith('*')
}

/** Returns true if a host, `*.example.com` or '', with a port of a listener, stands for another one. */
function answers(host: string, other: string): boolean {
  const [[name = '', port = ''], [wanted = '', wantedPort = '']] = [host.split(':'), other.split(':')]
  return port === wantedPort && (name === '' || name === wanted || (name.startsWith('*.') && wanted.endsWith(name.slice(1))))
}

/** Returns the paths by which a ReferenceGrant lets another namespace use Secrets. */
export function grantedSecrets(before: JsonRecord | undefined, after: JsonRecord): readonly string[] {
  const pairs = (grant: Guard) =>
    recordsOf(valueAt(grant, ['spec', 'to'])).flatMap((to) =>
      lookup(to, 'kind') !== 'Secret'
        ? []
        : recordsOf(valueAt(grant, ['spec', 'from'])).map((from, i) => ({
            user: JSON.stringify([lookup(from, 'group') ?? '', lookup(from, 'kind') ?? '', lookup(from, 'namespace') ?? '']),
            name: scalarText(lookup(to, 'name')),
            path: `spec.from[${i}]`,
          })),
    )
  const old = pairs(before)
  return pairs(after).flatMap(({ user, name, path }) =>
    old.some((each) => each.user === user && (each.name === '' || each.name === name)) ? [] : [path],
  )
}

/** Returns the paths by which a claim gets the rights of an administrator on devices: on those too that others use. */
export function adminAccess(before: JsonRecord | undefined, after: JsonRecord): readonly string[] {
  const paths = (claim: Guard) =>
    [['spec'], ['spec', 'spec']].flatMap((steps) =>
      recordsOf(valueAt(claim, [...steps, 'devices', 'requests'])).flatMap((request) => {
        const isAdmin = [memberOf(lookup(request, 'exactly'), 'adminAccess'), lookup(request, 'adminAccess')].includes(true)
        return isAdmin ? [`${steps.join('.')}.devices.requests[${scalarText(lookup(request, 'name'))}]`] : []
      }),
    )
  return without(paths(before), paths(after))
}
