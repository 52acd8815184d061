// What MiniStack 1.5.33 lacks and Baton needs, one entry each. Applied to a copy of the assembly, or around the emulator; never to Baton.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;
type Template = { Resources: Resources };

export type Workaround = {
  name: string;
  cause: 'theirs' | 'documented AWS behaviour';
  lacks: string;
  instead: string;
  apply?: (template: Template, given: { smsEndpoint: string }) => void;
};

/** Everything that is done differently for MiniStack. */
export const WORKAROUNDS: readonly Workaround[] = [
  {
    name: 'dynamic task time-outs',
    cause: 'theirs',
    lacks: "a task's TimeoutSeconds must be a number; AWS and the local runtime evaluate the expression",
    instead: 'every dynamic time-out is one hour, which no story that is told here waits for',
    apply: (template) => {
      for (const { Properties } of ofType(template, 'AWS::StepFunctions::StateMachine')) Object.assign(Properties, fixedTimeouts(Properties));
    },
  },
  {
    name: 'metric math alarms',
    cause: 'theirs',
    lacks: 'an alarm must name one metric',
    instead: 'alarms over several metrics are left out',
    apply: (template) => {
      for (const [id, { Type, Properties }] of Object.entries(template.Resources))
        if (Type === 'AWS::CloudWatch::Alarm' && Properties?.Metrics !== undefined) delete template.Resources[id];
    },
  },
  {
    name: 'no schema registry',
    cause: 'theirs',
    lacks: 'AWS::EventSchemas is not known, and a template that names it is refused',
    instead: 'the schemas are left out; nothing depends on them',
    apply: (template) => {
      for (const [id, { Type }] of Object.entries(template.Resources)) if (Type.startsWith('AWS::EventSchemas::')) delete template.Resources[id];
    },
  },
  {
    name: 'ExcludePunctuation of generated secrets',
    cause: 'theirs',
    lacks: 'GenerateSecretString knows only ExcludeCharacters, so that a generated signing secret is not base64',
    instead: 'the same characters are excluded one by one',
    apply: (template) => {
      for (const { Properties } of ofType(template, 'AWS::SecretsManager::Secret')) {
        const generate = Properties.GenerateSecretString as { ExcludePunctuation?: boolean; ExcludeCharacters?: string } | undefined;
        if (generate?.ExcludePunctuation === true) generate.ExcludeCharacters = PUNCTUATION;
      }
    },
  },
  {
    name: 'no End User Messaging',
    cause: 'theirs',
    lacks: 'there is no SMS service (sms-voice)',
    instead: 'functions send SMS to the test itself, by the SDK’s own endpoint variable',
    apply: (template, { smsEndpoint }) => {
      for (const { Properties } of ofType(template, 'AWS::Lambda::Function')) {
        const environment = Properties.Environment as { Variables: Record<string, unknown> } | undefined;
        if (environment?.Variables.SMS_FROM !== undefined) environment.Variables.AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2 = smsEndpoint;
      }
    },
  },
  {
    name: 'failing functions behind a task token',
    cause: 'theirs',
    lacks: 'a function that fails, or is cut off by its time-out, does not fail the task that waits for its token: nothing is tried again, and the task waits on',
    instead: 'functions may take a minute, so that a busy machine cuts none off',
    apply: (template) => {
      for (const { Properties } of ofType(template, 'AWS::Lambda::Function')) Properties.Timeout = Math.max(60, Number(Properties.Timeout ?? 3));
    },
  },
  {
    name: 'Host header routing',
    cause: 'theirs',
    lacks: 'an HTTP API is found by the Host header <id>.execute-api.localhost, which clients cannot resolve everywhere',
    instead: 'a front of the test sets the header, and PublicUrl names that front',
  },
  {
    name: 'verified senders',
    cause: 'documented AWS behaviour',
    lacks: 'mail goes out only from an identity that is verified in SES; the local runtime does not ask',
    instead: 'the sender is verified after the deployment, as on AWS',
  },
  {
    name: 'time that cannot be moved',
    cause: 'theirs',
    lacks: 'no clock to advance',
    instead: 'stories that move time are told on the local runtime only, and the table of results says so',
  },
];

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Changes every template of an assembly in place. */
export function workAround(assembly: string, given: { smsEndpoint: string }): void {
  for (const file of readdirSync(assembly).filter((name) => name.endsWith('.template.json'))) {
    const path = join(assembly, file);
    const template = JSON.parse(readFileSync(path, 'utf8')) as Template;
    for (const { apply } of WORKAROUNDS) apply?.(template, given);
    writeFileSync(path, JSON.stringify(template));
  }
}

function ofType(template: Template, type: string): { Properties: Record<string, unknown> }[] {
  return Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type && Properties !== undefined ? [{ Properties }] : []));
}

/** The definition is JSON in a string (whole, or in the pieces of a join), so its quotes may be escaped. */
function fixedTimeouts(properties: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(properties).replaceAll(/((?:\\)*"TimeoutSeconds(?:\\)*":)\s*(?:\\)*"\{%.*?%\}(?:\\)*"/g, '$13600')) as Record<string, unknown>;
}
