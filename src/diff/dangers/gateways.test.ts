import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { dangerPaths, judgedChange, judgedObject } from './testing/judged-changes.ts'

const gateway = (listeners: readonly JsonRecord[], spec: JsonRecord = {}) =>
  judgedObject('gateway.networking.k8s.io/v1 Gateway', { spec: { listeners, ...spec } })
const HTTPS = { name: 'web', hostname: 'a.example.com', port: 443, protocol: 'HTTPS' }
const opened = (before: JsonRecord, after: JsonRecord) => dangerPaths('guard-removed', judgedChange(before, after))
const routes = (namespaces: JsonRecord) => ({ ...HTTPS, allowedRoutes: { namespaces } })
const AT = 'spec.listeners[web]'

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['loses its encryption', HTTPS, { ...HTTPS, protocol: 'HTTP' }, [`${AT}.protocol`]],
  ['is TLS in place of HTTPS', HTTPS, { ...HTTPS, protocol: 'TLS' }, []],
  ['is encrypted from now on', { ...HTTPS, protocol: 'HTTP' }, HTTPS, []],
  ['no longer checks clients', { ...HTTPS, tls: { frontendValidation: {} } }, HTTPS, [`${AT}.tls.frontendValidation`]],
  ['takes routes of all namespaces', HTTPS, routes({ from: 'All' }), [`${AT}.allowedRoutes.namespaces.from`]],
  ['takes routes of every label', HTTPS, routes({ from: 'Selector', selector: {} }), [`${AT}.allowedRoutes.namespaces.from`]],
  ['takes routes of one label', HTTPS, routes({ from: 'Selector', selector: { matchLabels: { a: 'b' } } }), []],
  ['took routes of all namespaces before', routes({ from: 'All' }), routes({ from: 'Selector', selector: {} }), []],
  ['has another name at its address', HTTPS, { ...HTTPS, name: 'other', protocol: 'HTTP' }, ['spec.listeners[other].protocol']],
  ['is another one at another port', HTTPS, { ...HTTPS, name: 'other', port: 80, protocol: 'HTTP' }, []],
])('a listener that %s: case %#', (_, before, after, paths) => {
  expect(opened(gateway([before]), gateway([after]))).toEqual(paths)
})

const check = { validation: { caCertificateRefs: [] } }
const frontend = (settings: JsonRecord) => gateway([HTTPS, { ...HTTPS, name: 'more', port: 8443 }], { tls: { frontend: settings } })

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['on every port', { default: check }, {}, ['spec.tls.frontend.default.validation']],
  [
    'on a port with settings of its own',
    { perPort: [{ port: 443, tls: check }] },
    { perPort: [{ port: 443, tls: {} }] },
    ['spec.tls.frontend.perPort[0].tls.validation'],
  ],
  ['on a port whose settings go', { perPort: [{ port: 443, tls: check }] }, {}, ['spec.tls.frontend.perPort']],
  ['on no port, since the default still does it', { default: check, perPort: [{ port: 443, tls: check }] }, { default: check }, []],
  [
    'on a port that opts out',
    { default: check },
    { default: check, perPort: [{ port: 8443, tls: {} }] },
    ['spec.tls.frontend.perPort[0].tls.validation'],
  ],
  ['on no port', { default: check }, { default: check }, []],
])('the certificates of clients are no longer checked %s', (_, before, after, paths) => {
  expect(opened(frontend(before), frontend(after))).toEqual(paths)
})

const hosts = (...names: readonly string[]) => judgedObject('gateway.networking.k8s.io/v1 HTTPRoute', { spec: { hostnames: names } })
const rules = (...names: readonly string[]) =>
  judgedObject('networking.k8s.io/v1 Ingress', { spec: { rules: names.map((host) => (host === '' ? {} : { host })) } })
const others = (before: JsonRecord, after: JsonRecord) => dangerPaths('other-hosts', judgedChange(before, after))

test.each<[readonly string[], readonly string[], boolean]>([
  [['a.x'], ['a.x'], false],
  [['a.x', 'b.x'], ['a.x'], true],
  [['a.x'], ['a.x', 'b.x'], false],
  [['a.x'], ['*.x'], true],
  [['*.x'], ['*.x', 'a.x'], false],
  [['*.x'], ['a.x'], true],
  [['a.x'], ['b.x'], true],
  [['a.x'], [], true],
  [[], ['a.x'], true],
  [['a.xx'], ['*.x'], true],
])('the hosts %j that become %j are others: %s', (before, after, isOther) => {
  expect(others(hosts(...before), hosts(...after))).toEqual(isOther ? ['spec.hostnames'] : [])
  const [was, is] = [before, after].map((names) => rules(...(names.length === 0 ? [''] : names)))
  expect(was && is && others(was, is)).toEqual(isOther ? ['spec.rules'] : [])
})

test.each(['HTTPRoute', 'GRPCRoute', 'TLSRoute'])('a %s of other hosts is a notice, one of another group is none', (kind) => {
  const of = (group: string, host: string) => judgedObject(`${group}/v1 ${kind}`, { spec: { hostnames: [host] } })
  expect(others(of('gateway.networking.k8s.io', 'a.x'), of('gateway.networking.k8s.io', 'b.x'))).toEqual(['spec.hostnames'])
  expect(others(of('example.com', 'a.x'), of('example.com', 'b.x'))).toEqual([])
})

test('a Gateway that answers at another port answers another host', () => {
  expect(others(gateway([HTTPS]), gateway([{ ...HTTPS, port: 8443 }]))).toEqual(['spec.listeners'])
  expect(others(gateway([HTTPS]), gateway([{ ...HTTPS, name: 'other' }]))).toEqual([])
  expect(others(gateway([HTTPS]), gateway([HTTPS, { name: 'all', port: 443 }]))).toEqual(['spec.listeners'])
})

const SECRET = { group: '', kind: 'Secret' }
const USER = { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'web' }
const grant = (from: readonly JsonRecord[], to: readonly JsonRecord[]) =>
  judgedObject('gateway.networking.k8s.io/v1beta1 ReferenceGrant', { spec: { from, to } })
const wider = (before: JsonRecord, after: JsonRecord) => dangerPaths('wider-access', judgedChange(before, after))

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['lets another namespace use Secrets', grant([USER], [SECRET]), grant([USER, { ...USER, namespace: 'x' }], [SECRET]), ['spec.from[1]']],
  ['lets another kind use them', grant([USER], [SECRET]), grant([{ ...USER, kind: 'Other' }], [SECRET]), ['spec.from[0]']],
  ['lets one use all of them', grant([USER], [{ ...SECRET, name: 's' }]), grant([USER], [SECRET]), ['spec.from[0]']],
  ['lets one use another one', grant([USER], [{ ...SECRET, name: 's' }]), grant([USER], [{ ...SECRET, name: 't' }]), ['spec.from[0]']],
  ['lets one use fewer', grant([USER], [SECRET]), grant([USER], [{ ...SECRET, name: 's' }]), []],
  ['lets one use Services', grant([USER], []), grant([USER], [{ group: '', kind: 'Service' }]), []],
  [
    'names the users in another order',
    grant([USER, { ...USER, namespace: 'x' }], [SECRET]),
    grant([{ ...USER, namespace: 'x' }, USER], [SECRET]),
    [],
  ],
])('a grant that %s: case %#', (_, before, after, paths) => {
  expect(wider(before, after)).toEqual(paths)
})

test.each(['ResourceClaim', 'ResourceClaimTemplate'])('a %s that becomes one of an administrator is wider access', (kind) => {
  const claim = (request: JsonRecord) => {
    const devices = { devices: { requests: [{ name: 'gpu', ...request }] } }
    return judgedObject(`resource.k8s.io/v1 ${kind}`, { spec: kind === 'ResourceClaim' ? devices : { spec: devices } })
  }
  const path = kind === 'ResourceClaim' ? 'spec.devices.requests[gpu]' : 'spec.spec.devices.requests[gpu]'
  expect(wider(claim({ exactly: {} }), claim({ exactly: { adminAccess: true } }))).toEqual([path])
  expect(wider(claim({}), claim({ adminAccess: true }))).toEqual([path])
  expect(wider(claim({ adminAccess: true }), claim({ exactly: { adminAccess: true } }))).toEqual([])
  expect(wider(claim({}), claim({ exactly: { adminAccess: false } }))).toEqual([])
})
