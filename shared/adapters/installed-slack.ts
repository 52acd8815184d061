import type { SlackSender } from '../ports/message-sender.ts';
import { secretsmanagerSourceSecrets } from './secretsmanager-source-secrets.ts';
import { slackChat } from './slack-chat.ts';
import { systemTime } from './system-time.ts';

/** Slack with the bot token of this installation, which stands in a secret under the prefix. */
export const installedSlack = (prefix: string): SlackSender => slackChat({ tokens: secretsmanagerSourceSecrets({ arns: {}, prefix }, systemTime) });
