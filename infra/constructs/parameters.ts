import { CfnCondition, CfnParameter, Fn } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';

/** What differs from account to account. Every one has a default, so that a first deployment asks nothing. */
export class Parameters extends Construct {
  readonly values: { mailFrom: string; smsFrom: string; opsEmail: string; reportZone: string; defaultCountry: string };
  /** Whether intake and clicks get concurrency of their own. */
  readonly pools: CfnCondition;
  readonly #publicUrl: CfnParameter;
  readonly #ownDomain: CfnCondition;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const text = (name: string, defaultValue: string, description: string, more: { allowedPattern?: string; allowedValues?: string[] } = {}) => {
      const parameter = new CfnParameter(this, name, { type: 'String', default: defaultValue, description, ...more });
      parameter.overrideLogicalId(name);
      return parameter;
    };
    this.#publicUrl = text('PublicUrl', '', 'Base of every link, such as https://go.example.com. Empty: the address of the API, which a replaced API would change (CD-07).', {
      allowedPattern: '(https?://[^/\\s]+)?',
    });
    this.#ownDomain = new CfnCondition(this, 'OwnDomain', { expression: Fn.conditionNot(Fn.conditionEquals(this.#publicUrl.valueAsString, '')) });
    this.#ownDomain.overrideLogicalId('OwnDomain');
    const pools = text('ConcurrencyPools', 'on', 'Concurrency of their own for intake (100) and clicks (50). Off only in an account whose limit is below 250.', {
      allowedValues: ['on', 'off'],
    });
    this.pools = new CfnCondition(this, 'Pools', { expression: Fn.conditionEquals(pools.valueAsString, 'on') });
    this.pools.overrideLogicalId('Pools');
    this.values = {
      mailFrom: text('MailFrom', 'baton@example.com', 'Sender of every email; an identity that is verified in SES.').valueAsString,
      smsFrom: text('SmsFrom', '+15555550100', 'Origin of every text message: phone number, its id, pool or sender id.').valueAsString,
      opsEmail: text('OpsEmail', 'ops@example.com', 'Who gets the daily orphan report.').valueAsString,
      reportZone: text('ReportZone', 'America/Los_Angeles', 'Zone in which the report is made at 06:00 and dated.').valueAsString,
      defaultCountry: text('DefaultCountry', 'US', 'Country in which a phone number without a country code is dialled: ISO 3166, two letters (GB, not UK).', {
        allowedPattern: '[A-Z]{2}',
      }).valueAsString,
    };
  }

  /** The base of every link. */
  publicUrl(api: HttpApi): string {
    return Fn.conditionIf(this.#ownDomain.logicalId, this.#publicUrl.valueAsString, api.apiEndpoint).toString();
  }
}
