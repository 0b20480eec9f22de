// kube-router with its network policies alone, started as k3s starts them: its router and its proxy, which this cluster does not
// use, would be most of the build. The flags are kube-router's own.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"github.com/spf13/pflag"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func newController(config *options.KubeRouterConfig, ended <-chan struct{}) (*netpol.NetworkPolicyController, error) {
	access, err := clientcmd.BuildConfigFromFlags(config.Master, config.Kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(access)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	factory.Start(ended)
	factory.WaitForCacheSync(ended)

	iptables, ipsets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return nil, err
	}
	controller, err := netpol.NewNetworkPolicyController(
		client, config, pods, policies, namespaces, &sync.Mutex{}, nil, iptables, ipsets)
	if err != nil {
		return nil, err
	}
	watches := []struct {
		informer cache.SharedIndexInformer
		handler  cache.ResourceEventHandler
	}{
		{pods, controller.PodEventHandler},
		{namespaces, controller.NamespaceEventHandler},
		{policies, controller.NetworkPolicyEventHandler},
	}
	for _, watch := range watches {
		if _, err := watch.informer.AddEventHandler(watch.handler); err != nil {
			return nil, err
		}
	}
	return controller, nil
}

func run(config *options.KubeRouterConfig) error {
	ended := make(chan struct{})
	beats := make(chan *healthcheck.ControllerHeartbeat, 10)
	controller, err := newController(config, ended)
	if err != nil {
		return err
	}
	health, err := healthcheck.NewHealthController(config)
	if err != nil {
		return err
	}
	health.SetAlive()

	var all sync.WaitGroup
	all.Add(3)
	go health.RunServer(ended, &all)
	go health.RunCheck(beats, ended, &all)
	go controller.Run(beats, ended, &all)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	close(ended)
	all.Wait()
	return nil
}

func main() {
	config := options.NewKubeRouterConfig()
	config.AddFlags(pflag.CommandLine)
	pflag.Parse()
	if config.CleanupConfig {
		new(netpol.NetworkPolicyController).Cleanup()
		return
	}
	if err := run(config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
