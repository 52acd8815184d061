import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const bigEndian = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes.toString('base64');
};

const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

const crc32c = (data: Buffer): string => {
  let value = 0xffffffff;
  for (const byte of data) value = (CRC32C_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return bigEndian(value ^ 0xffffffff);
};

const CRC64_TABLE = BigUint64Array.from({ length: 256 }, (_, index) => {
  let value = BigInt(index);
  for (let bit = 0; bit < 8; bit += 1) value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
  return value;
});

const crc64nvme = (data: Buffer): string => {
  const ones = 0xffff_ffff_ffff_ffffn;
  let value = ones;
  for (const byte of data) value = (CRC64_TABLE[Number((value ^ BigInt(byte)) & 0xffn)] ?? 0n) ^ (value >> 8n);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value ^ ones);
  return bytes.toString('base64');
};

const hash =
  (name: string) =>
  (data: Buffer): string =>
    createHash(name).update(data).digest('base64');

/** The checksums S3 knows, by the name they have in headers. */
export const CHECKSUMS: Readonly<Record<string, (data: Buffer) => string>> = {
  crc32: (data) => bigEndian(crc32(data)),
  crc32c,
  crc64nvme,
  sha1: hash('sha1'),
  sha256: hash('sha256'),
};
