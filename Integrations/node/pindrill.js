// Shows an app chains of certificates, and says whether it obeyed its pins.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What may be said of an attempt. */
export const words = /** @type {const} */ (['worked', 'refused', 'refused-pin', 'failed', 'again', 'skip'])

/**
 * What an app needs to know to make one attempt. Whether it should be refused is not said.
 *
 * @typedef {object} Attempt
 * @property {number} number
 * @property {string} ask what to do
 * @property {string} host whose server the app believes to reach
 * @property {string} url the same, as https://HOST/
 * @property {string} proxy the proxy to go through; who is led to its address and port needs no proxy
 * @property {string} address
 * @property {number} port
 * @property {string} trust the roots that the device trusts, in PEM
 * @property {string} [note] for the report, if the app's side sets it
 * @property {string} [code] what the app shows, where answers carry `{code}`: `worked` counts with it alone
 */

/** @typedef {(attempt: Attempt) => (typeof words)[number] | Promise<(typeof words)[number]>} Act */
/** @typedef {'pass' | 'fail' | 'inconclusive' | 'not-applicable' | 'skipped'} Verdict */

/** PinDrill could not be asked, or gave no verdict. */
export class PinDrillError extends Error {
  name = 'PinDrillError'
}

/** The verdict was another one than expected. */
export class UnexpectedVerdict extends Error {
  name = 'UnexpectedVerdict'
}

/** One scenario, played to one app. */
export class Drill {
  #pindrill
  #state
  /** @type {Map<number, number>} */
  #steps = new Map()
  /** @type {any[]} */
  #seen = []
  #isSettled = false

  /** @param {PinDrill} pindrill @param {any} state */
  constructor(pindrill, state) {
    this.#pindrill = pindrill
    this.#state = state
  }

  /**
   * Has each attempt made by `act`, which says how the app took it: one of `words`.
   *
   * @param {Act} act
   */
  async play(act) {
    const path = `/v1/drills/${this.#state.id}`
    try {
      while (await this.#ready(path)) {
        const attempt = await this.#attempt()
        const word = await act(attempt)
        if (!words.includes(word)) {
          throw new PinDrillError(`the app's word was '${word}', which is none of: ${words.join(', ')}`)
        }
        const { note, code } = attempt
        const body = { attempt: attempt.number, word, ...(note && { note }), ...(code && { code }) }
        this.#state = await this.#pindrill.ask('POST', `${path}/word?wait=30`, body)
      }
      if (this.#state.verdict !== 'pass') this.#seen = (await this.#pindrill.ask('GET', '/v1/observations')).connections
    } catch (error) {
      await this.stop()
      throw error
    }
    return this
  }

  /**
   * Fails with all that is known if the verdict is another.
   *
   * @param {Verdict} verdict
   */
  expect(verdict) {
    if (this.verdict !== verdict) throw new UnexpectedVerdict(this.account(verdict))
  }

  /** @returns {Verdict} */
  get verdict() {
    this.#isSettled = true
    const { scenario, verdict, reason = 'play it first' } = this.#state
    if (!verdict) throw new PinDrillError(`'${scenario}' has no verdict: ${reason}`)
    return verdict
  }

  get scenario() {
    return this.#state.scenario
  }

  get isSettled() {
    return this.#isSettled
  }

  /** What happened, for people. */
  account(expected = 'pass') {
    const { id, scenario, policy, client, verdict, consequence, results, findings = [] } = this.#state
    const lines = [`${scenario} · ${policy} · ${client}: ${verdict} (${consequence}), expected: ${expected}`]
    for (const result of results) {
      if (result.verdict === 'pass') continue
      lines.push(
        `  step ${result.number}: ${result.host} showed ${result.shown.join(', ')}, ` +
          `whose key is the ${result.holder}'s: ${result.verdict} (${result.consequence})`,
        `    why: ${result.grounds}`,
      )
      for (const { source, attempt, connection } of this.#seen) {
        if (source === id && this.#steps.get(attempt) === result.number) lines.push(`    the wire saw: ${connection.reaction}`)
      }
      if (result.word) lines.push(`    the app's word: ${result.word}`)
      if (result.advice) lines.push(`    next: ${result.advice}`)
    }
    return [...lines, ...findings.map((/** @type {string} */ finding) => `  ${finding}`)].join('\n')
  }

  /** Ends it without a verdict. */
  async stop() {
    this.#isSettled = true
    await this.#pindrill.ask('POST', `/v1/drills/${this.#state.id}/stop`).catch(() => {})
  }

  // Waits until an attempt is to be made or the drill is over.
  async #ready(/** @type {string} */ path) {
    const seconds = this.#pindrill.answerSeconds
    const end = performance.now() + seconds * 1000
    while (!['waiting', 'finished', 'stopped'].includes(this.#state.state)) {
      const left = (end - performance.now()) / 1000
      if (left <= 0) throw new PinDrillError(`'${this.scenario}' was still '${this.#state.state}' after ${seconds} s`)
      const wait = Math.max(1, Math.min(30, Math.floor(left)))
      this.#state = await this.#pindrill.ask('GET', `${path}?wait=${wait}&after=${this.#state.attempt}`)
    }
    return this.#state.state === 'waiting'
  }

  /** @returns {Promise<Attempt>} */
  async #attempt() {
    const { attempt: number, ask, step, proxy } = this.#state
    this.#steps.set(number, step.number)
    const trust = await this.#pindrill.read('GET', `/v1/trust/${encodeURIComponent(step.store)}?format=pem`)
    const { url, address, port } = proxy
    return { number, ask, host: step.host, url: `https://${step.host}/`, proxy: url, address, port, trust }
  }
}

/**
 * The PinDrill that PINDRILL_URL and PINDRILL_TOKEN or PINDRILL_TOKEN_FILE name, or one of its own: `program serve file`,
 * which ends when this is closed.
 */
export class PinDrill {
  #token
  #process
  /** @type {Drill[]} */
  #drills = []

  /**
   * @param {string} [file] the scenario file, for one of its own
   * @param {{url?: string, tokenFile?: string, program?: string, startSeconds?: number, answerSeconds?: number}} [options]
   * @returns {Promise<PinDrill>}
   */
  static async open(file, options = {}) {
    const { tokenFile, program = 'pindrill', startSeconds = 60, answerSeconds = 60 } = options
    const url = options.url ?? process.env.PINDRILL_URL
    if (url) return new PinDrill(url, foundToken(tokenFile), answerSeconds)
    const started = await start(program, file, startSeconds)
    return new PinDrill(started.url, started.token, answerSeconds, started.process)
  }

  /** @private @param {string} url @param {string} token @param {number} answerSeconds @param {any} [process] */
  constructor(url, token, answerSeconds, process) {
    if (!/^https?:\/\/./.test(url)) throw new PinDrillError(`'${url}' is no address`)
    this.url = url.replace(/\/$/, '')
    this.answerSeconds = answerSeconds
    this.#token = token
    this.#process = process
  }

  /**
   * Begins a drill. Policy and client are needed where there is a choice.
   *
   * @param {string} scenario
   * @param {{policy?: string, client?: string}} [names]
   */
  async drill(scenario, { policy, client } = {}) {
    const drill = new Drill(this, await this.ask('POST', '/v1/drills?wait=30', { scenario, policy, client }))
    this.#drills.push(drill)
    return drill
  }

  /**
   * What a policy pins, as digests in base64, for an app that is told its pins.
   *
   * @param {string} policy
   * @returns {Promise<string[]>}
   */
  async pins(policy) {
    const { policies } = await this.ask('GET', '/v1/policies')
    const found = policies.find((/** @type {any} */ one) => one.name === policy)
    if (!found) throw new PinDrillError(`there is no policy '${policy}'`)
    return found.pins ?? []
  }

  /** Ends what was started. A drill whose verdict nobody has asked for is an error: its test would prove nothing. */
  async close() {
    const forgotten = this.#drills.filter((drill) => !drill.isSettled)
    for (const drill of forgotten) await drill.stop()
    this.#drills = []
    if (this.#process) await end(this.#process)
    if (forgotten.length) throw new PinDrillError(`nobody asked for the verdict of '${forgotten[0].scenario}'`)
  }

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  async ask(method, path, body) {
    return JSON.parse(await this.read(method, path, body))
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async read(method, path, body) {
    const answer = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout((30 + this.answerSeconds) * 1000),
    }).catch((error) => {
      const why = error.cause?.message ?? error.message
      throw new PinDrillError(`no PinDrill answers at ${this.url}: ${why}; is 'pindrill serve' running?`)
    })
    const text = await answer.text()
    if (!answer.ok) throw new PinDrillError(sentence(answer.status, text))
    return text
  }
}

/** @param {number} status @param {string} body */
function sentence(status, body) {
  try {
    const { message, nearest } = JSON.parse(body)
    if (message) return nearest && !message.includes(nearest) ? `${message}; did you mean '${nearest}'?` : message
  } catch {}
  return `PinDrill answered with status ${status}`
}

/** @param {string} [file] */
function foundToken(file = process.env.PINDRILL_TOKEN_FILE) {
  let token = process.env.PINDRILL_TOKEN
  try {
    if (file) token = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new PinDrillError(`the token file '${file}' cannot be read: ${/** @type {any} */ (error).code}`)
  }
  if (!token) throw new PinDrillError('an address without a token: set PINDRILL_TOKEN, or PINDRILL_TOKEN_FILE')
  return token
}

/**
 * @param {string} program @param {string | undefined} file @param {number} seconds
 * @returns {Promise<{url: string, token: string, process: import('node:child_process').ChildProcess}>}
 */
async function start(program, file, seconds) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINDRILL_')))
  const child = spawn(program, ['serve', ...(file ? [file] : []), '--port', '0', '--proxy-port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data) => (errors = (errors + data).slice(-10_000)))
  /** @type {NodeJS.Timeout | undefined} */
  let clock
  /** @type {string} */
  const line = await new Promise((resolve, reject) => {
    let text = ''
    const fail = (/** @type {string} */ why) => reject(new PinDrillError(why))
    clock = setTimeout(() => fail(`'${program} serve' was not ready after ${seconds} s`), seconds * 1000)
    child.on('error', (error) => fail(`'${program}' could not be started: ${error.message}`))
    child.on('close', () => fail([`'${program} serve' ended`, errors.trim()].filter(Boolean).join(': ')))
    child.stdout.on('data', (data) => (text += data).includes('\n') && resolve(text))
  }).catch(async (error) => {
    await end(child)
    throw error
  }).finally(() => clearTimeout(clock))
  // It keeps nobody's process alive, and does not outlive this one.
  for (const one of [child, child.stdout, child.stderr]) /** @type {any} */ (one).unref()
  process.once('exit', () => child.kill())
  return { ...JSON.parse(line), process: child }
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const clock = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(clock)
}
