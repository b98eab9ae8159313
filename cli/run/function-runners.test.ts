import { expect, test } from 'vitest'
import { UsageError } from '../usage-error.ts'
import { functionNames, runnerSettings } from './function-runners.ts'
import type { RunnerOptions } from './runner-options.ts'

test.each([
  ['ghcr.io/krm-variants/fan-out:v1', 'fan-out'],
  ['ghcr.io/krm-variants/fan-out@sha256:abc', 'fan-out'],
  ['ghcr.io/krm-variants/fan-out:v1@sha256:abc', 'fan-out'],
  ['fan-out', 'fan-out'],
  ['fan-out:v1', 'fan-out'],
])('the image %s names the function %s', (image, name) => {
  expect([...functionNames([{ image }, { image }])]).toEqual([name])
})

const settings = (
  options: RunnerOptions,
  environment: Readonly<Record<string, string>> = {},
  configured?: Parameters<typeof runnerSettings>[3],
) => runnerSettings(options, { locate: (path) => `/here/${path}`, environment }, (name) => name === 'fan-out', configured)
const CONFIGURED = {
  programs: new Map([
    ['img', ['theirs']],
    ['other', ['kept']],
  ]),
  anyVersion: true,
  containers: true,
}

test('without options only the functions that are named run, each for at most five minutes', async () => {
  const { own, ...rest } = await settings({})
  expect(own.map(({ name }) => name)).toEqual(['fan-out'])
  expect(rest).toEqual({
    programs: new Map(),
    allowExec: false,
    imagePrefix: undefined,
    anyVersion: false,
    folder: '/here/.',
    environment: {},
    seconds: 300,
    containers: undefined,
  })
  expect((await settings({ functionTimeout: 7 })).seconds).toBe(7)
})

test('programs that the fleet configures run only where the caller allows programs, and those of the caller win', async () => {
  expect((await settings({}, {}, CONFIGURED)).programs).toEqual(new Map())
  const { programs } = await settings({ allowExec: true, function: ['img=./mine --fast "a b"'] }, {}, CONFIGURED)
  expect(programs).toEqual(
    new Map([
      ['img', ['./mine', '--fast', 'a b']],
      ['other', ['kept']],
    ]),
  )
  expect((await settings({ allowExec: true, function: ['a=b=c'] })).programs).toEqual(new Map([['a', ['b=c']]]))
})

test('containers and any version are allowed by the caller or by the fleet', async () => {
  expect((await settings({ allowContainers: true })).containers).toEqual({ network: new Set(), keepsAnswers: true })
  expect((await settings({ cache: false, allowNetwork: ['x'] }, {}, CONFIGURED)).containers).toEqual({
    network: new Set(['x']),
    keepsAnswers: false,
  })
  expect((await settings({ builtin: 'any-version' })).anyVersion).toBe(true)
  expect((await settings({}, {}, CONFIGURED)).anyVersion).toBe(true)
})

test('the prefix of images is that of the caller, else that of the environment', async () => {
  const environment = { KPT_IMAGE_PREFIX: 'ghcr.io/theirs' }
  expect((await settings({ imagePrefix: 'ghcr.io/mine/' }, environment)).imagePrefix).toBe('ghcr.io/mine/')
  expect((await settings({}, environment)).imagePrefix).toBe('ghcr.io/theirs')
  expect((await settings({}, { KPT_IMAGE_PREFIX: '' })).imagePrefix).toBeUndefined()
})

test.each<[RunnerOptions, RegExp]>([
  [{ function: ['a=b'] }, /^`--function` must come with --allow-exec/],
  [{ allowExec: true, function: ['a'] }, /^`--function` must be IMAGE=PROGRAM, such as .*, got 'a'$/],
  [{ allowExec: true, function: ['=b'] }, /got '=b'$/],
  [{ allowExec: true, function: ['a='] }, /got 'a='$/],
  [{ allowNetwork: ['a'] }, /^`--allow-network` must come with --allow-containers/],
  [{ imagePrefix: 'https://ghcr.io' }, /^`--image-prefix` must be a registry and a path .*, got 'https:\/\/ghcr\.io'$/],
])('the options %j are refused', async (options, message) => {
  await expect(settings(options)).rejects.toThrow(UsageError)
  await expect(settings(options)).rejects.toThrow(message)
})
