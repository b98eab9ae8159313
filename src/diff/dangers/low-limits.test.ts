import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dangersOf } from './dangers.ts'
import { dangerPaths, judgedChange, judgedObject } from './testing/judged-changes.ts'

const RULE = 'limit-below-request'

const deployment = (pod: string) => judgedObject('apps/v1 Deployment', { spec: { template: { spec: parse(pod) } } })
const withResources = (resources: string) => deployment(`{containers: [{name: c, resources: ${resources}}]}`)
const found = (pod: string) => dangerPaths(RULE, judgedChange(deployment('{containers: []}'), deployment(pod)))

const LIMITS = 'spec.template.spec.containers[c].resources.limits'
const POD = 'spec.template.spec.resources'

test.each([
  ['{limits: {cpu: 499m}, requests: {cpu: 500m}}', [`${LIMITS}.cpu`]],
  ['{limits: {cpu: "0.5"}, requests: {cpu: 500m}}', []],
  ['{limits: {cpu: 1}, requests: {cpu: 500m}}', []],
  ['{limits: {memory: 1G}, requests: {memory: 1Gi}}', [`${LIMITS}.memory`]],
  ['{limits: {ephemeral-storage: 2Gi}, requests: {ephemeral-storage: 1Gi}}', []],
  ['{limits: {storage: 2Gi}, requests: {storage: 1Gi}}', []],
  ['{limits: {cpu: 500m}}', []],
  ['{requests: {cpu: 500m}}', []],
  ['{limits: {cpu: 500m}, requests: {memory: 1Gi}}', []],
  ['{limits: {nvidia.com/gpu: 2}}', []],
  ['{limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}}', []],
  ['{limits: {cpu.example.com/core: 2}, requests: {cpu.example.com/core: 1}}', [`${LIMITS}.cpu.example.com/core`]],
  ['{limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 1}}', [`${LIMITS}.nvidia.com/gpu`]],
  ['{limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 2}}', [`${LIMITS}.nvidia.com/gpu`]],
  ['{limits: {hugepages-2Mi: 4Mi}, requests: {hugepages-2Mi: 2Mi}}', [`${LIMITS}.hugepages-2Mi`]],
  ['{limits: {example.com/cpu: 2}, requests: {example.com/cpu: 1}}', [`${LIMITS}.example.com/cpu`]],
  ['{limits: {memory: 1, cpu: 1}, requests: {cpu: 2, memory: 2}}', [`${LIMITS}.memory`, `${LIMITS}.cpu`]],
])('the resources %s of a container do not fit at %j', (resources, paths) => {
  expect(dangerPaths(RULE, judgedChange(withResources('{}'), withResources(resources)))).toEqual(paths)
})

test('a limit that was below its request before is no danger of a change, and one that goes is none either', () => {
  const [low, lower, fit] = ['1', '500m', '2'].map((cpu) => withResources(`{limits: {cpu: ${cpu}}, requests: {cpu: 2}}`))
  if (!low || !lower || !fit) throw new Error('must have three states')
  expect(dangerPaths(RULE, judgedChange(low, lower))).toEqual([])
  expect(dangerPaths(RULE, judgedChange(low, fit))).toEqual([])
  expect(dangersOf(judgedChange(fit, low)).filter(({ rule }) => rule === RULE)).toEqual([
    {
      rule: RULE,
      text: 'a limit is below its request, or the pod has less than its containers: the API server refuses the object or its pods',
      path: `${LIMITS}.cpu`,
    },
  ])
  expect(dangerPaths(RULE, { op: 'create', after: low, fields: [] })).toEqual([`${LIMITS}.cpu`])
})

const LOW = 'resources: {limits: {cpu: 1}, requests: {cpu: 2}}'

test('the pod as a whole is judged before its containers, of each list', () => {
  expect(found(`{${LOW}, initContainers: [{name: i, ${LOW}}], containers: [{name: c, ${LOW}}]}`)).toEqual([
    `${POD}.limits.cpu`,
    `${LIMITS}.cpu`,
    'spec.template.spec.initContainers[i].resources.limits.cpu',
  ])
})

const cpu = (amount: string, more = '') => `{name: c, resources: {requests: {cpu: ${amount}}}${more}}`
const ALWAYS = ', restartPolicy: Always'

/** A pod that asks for 1 CPU, with its containers. */
test.each([
  [[cpu('400m'), cpu('600m')], [], true],
  [[cpu('400m'), cpu('601m')], [], false],
  [[], [], true],
  // A limit alone is the request; a request beside a limit is what counts.
  [['{name: c, resources: {limits: {cpu: 2}}}'], [], false],
  [['{name: c, resources: {limits: {cpu: 2}, requests: {cpu: 1}}}'], [], true],
  // Init containers run one after the other, and before the others.
  [[cpu('1')], [cpu('1'), cpu('1')], true],
  [[cpu('1')], [cpu('1001m'), cpu('1')], false],
  // One that is restarted always runs beside those after it, and beside the containers.
  [[cpu('600m')], [cpu('400m', ALWAYS)], true],
  [[cpu('601m')], [cpu('400m', ALWAYS)], false],
  [[cpu('100m')], [cpu('400m', ALWAYS), cpu('600m')], true],
  [[cpu('100m')], [cpu('400m', ALWAYS), cpu('601m')], false],
  [[cpu('100m')], [cpu('1'), cpu('400m', ALWAYS)], true],
  [[cpu('100m')], [cpu('300m', ALWAYS), cpu('300m', ALWAYS), cpu('401m')], false],
  [[cpu('100m')], [cpu('300m', ALWAYS), cpu('300m', ALWAYS), cpu('400m')], true],
  [[cpu('401m')], [cpu('300m', ALWAYS), cpu('300m', ALWAYS)], false],
])('a pod of 1 CPU has enough for %j after %j: %s', (containers, inits, isEnough) => {
  const pod = `{resources: {requests: {cpu: 1}}, containers: [${containers.join(', ')}], initContainers: [${inits.join(', ')}]}`
  expect(found(pod)).toEqual(isEnough ? [] : [`${POD}.requests.cpu`])
})

test.each([
  ['memory: 2Gi, cpu: 1', ['{name: c, resources: {limits: {memory: 3Gi, cpu: 1}}}'], ['memory']],
  ['memory: 2Gi, cpu: 1', ['{name: c, resources: {limits: {memory: 2Gi, cpu: 1}}}'], []],
  // Each has its limit for itself: their sum may be more.
  ['memory: 2Gi', ['{name: c, resources: {limits: {memory: 2Gi}}}', '{name: d, resources: {limits: {memory: 2Gi}}}'], []],
  ['memory: 2Gi', ['{name: c, resources: {limits: {memory: 1Gi}}}', '{name: d, resources: {limits: {memory: 3Gi}}}'], ['memory']],
  ['memory: 2Gi', ['{name: c, resources: {requests: {memory: 3Gi}}}'], []],
  ['memory: 2Gi', ['{name: c, resources: {limits: {cpu: 4}}}'], []],
  // One byte more than 10Ti.
  ['memory: 10Ti', ['{name: c, resources: {limits: {memory: 10995116277761}}}'], ['memory']],
])('a pod with the limits %s has less than %j by %j', (limits, containers, names) => {
  expect(found(`{resources: {limits: {${limits}}}, containers: [${containers.join(', ')}]}`)).toEqual(
    names.map((name) => `${POD}.limits.${name}`),
  )
})

test('requests that do not fit come before limits', () => {
  const pod = '{resources: {limits: {memory: 2}, requests: {cpu: 1}}, containers: [{name: c, resources: {limits: {cpu: 2, memory: 3}}}]}'
  expect(found(pod)).toEqual([`${POD}.requests.cpu`, `${POD}.limits.memory`])
})

test.each([
  ['300m', ['100m', '200m']],
  ['0.3Ti', ['0.1Ti', '0.2Ti']],
])('the sum of fractions that is %s is not more than that', (sum, amounts) => {
  expect(found(`{resources: {requests: {cpu: ${sum}}}, containers: [${amounts.map((each) => cpu(each)).join(', ')}]}`)).toEqual([])
})
