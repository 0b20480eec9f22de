# Debian out of a debootstrap archive (scripts/images/local-bases.mjs), where no debian image can be pulled.
FROM scratch
ADD rootfs.tar /
CMD ["bash"]
